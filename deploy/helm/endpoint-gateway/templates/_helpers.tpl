{{- define "gateway.selector" -}}
app.kubernetes.io/name: endpoint-gateway
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "gateway.labels" -}}
{{ include "gateway.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end -}}

{{- define "gateway.secret" -}}
{{ required "secret.name: the Secret with the settings of secret.settings" .Values.secret.name }}
{{- end -}}

{{- define "gateway.settings" -}}
ENGINE: {{ .Values.engine | quote }}
{{- if eq .Values.engine "bigquery" }}
KEYS_STORE: redis
{{- end }}
{{- if and .Values.ingress.enabled (not (hasKey .Values.settings "TRUST_PROXY")) }}
# Limits by address count callers, not the ingress.
TRUST_PROXY: "1"
{{- end }}
SHUTDOWN_DELAY_MS: "{{ .Values.shutdown.delaySeconds }}000"
SHUTDOWN_TIMEOUT_MS: "{{ .Values.shutdown.timeoutSeconds }}000"
{{- range $name, $value := .Values.settings }}
{{- if not (kindIs "string" $value) }}
{{- fail (printf "settings.%s: write the value in quotes" $name) }}
{{- end }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end -}}
