{{- define "gateway.pod" -}}
metadata:
  labels:
    {{- include "gateway.labels" . | nindent 4 }}
  annotations:
    # Changed settings restart the pods.
    checksum/settings: {{ include "gateway.settings" . | sha256sum }}
    {{- with .Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ .Release.Name }}
  automountServiceAccountToken: false
  # Variables of other services would look like settings.
  enableServiceLinks: false
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  # The gateway exits within 1.5 seconds after SHUTDOWN_TIMEOUT_MS. It needs no preStop hook: it serves requests for SHUTDOWN_DELAY_MS.
  terminationGracePeriodSeconds: {{ add .Values.shutdown.timeoutSeconds 7 }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  containers:
    - name: gateway
      image: "{{ required "image.repository: the image that you have built and pushed" .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      envFrom:
        - configMapRef:
            name: {{ .Release.Name }}
      env:
        # A folder within the volume: others, such as lost+found, may be beside it.
        - name: DATA_DIR
          value: /data/store
        {{- if .Values.endpoints.configMap }}
        - name: ENDPOINTS_DIR
          value: /project/endpoints
        {{- end }}
        {{- if .Values.endpoints.sourcesConfigMap }}
        - name: SOURCES_DIR
          value: /project/sources
        {{- end }}
        {{- range .Values.secret.settings }}
        - name: {{ . }}_FILE
          value: /run/secrets/endpoint-gateway/{{ . }}
        {{- end }}
      ports:
        - name: http
          containerPort: 4000
      # The gateway listens when it is ready, after it has upgraded an older store.
      startupProbe:
        httpGet:
          path: /livez
          port: http
        periodSeconds: 2
        timeoutSeconds: 2
        failureThreshold: {{ if eq .Values.engine "duckdb" }}1800{{ else }}150{{ end }}
      livenessProbe:
        httpGet:
          path: /livez
          port: http
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet:
          path: /readyz
          port: http
        periodSeconds: 2
        timeoutSeconds: 2
        {{- if eq .Values.engine "duckdb" }}
        # Nobody else can answer. While the engine's process starts again, queries wait, and cached results are served.
        failureThreshold: 5
        {{- else }}
        failureThreshold: 1
        {{- end }}
      resources:
        {{- if .Values.resources }}
        {{- toYaml .Values.resources | nindent 8 }}
        {{- else }}
        requests:
          cpu: "2"
          memory: {{ if eq .Values.engine "duckdb" }}4500Mi{{ else }}1280Mi{{ end }}
        limits:
          memory: {{ if eq .Values.engine "duckdb" }}4500Mi{{ else }}1280Mi{{ end }}
        {{- end }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      volumeMounts:
        - name: data
          mountPath: /data
        {{- if .Values.backup.enabled }}
        - name: backups
          mountPath: /backups
        {{- end }}
        - name: tmp
          mountPath: /tmp
        - name: secret
          mountPath: /run/secrets/endpoint-gateway
          readOnly: true
        {{- if .Values.endpoints.configMap }}
        - name: endpoints
          mountPath: /project/endpoints
          readOnly: true
        {{- end }}
        {{- if .Values.endpoints.sourcesConfigMap }}
        - name: sources
          mountPath: /project/sources
          readOnly: true
        {{- end }}
        {{- if and .Values.endpoints.configMap .Values.endpoints.boardsConfigMap }}
        # Beside the endpoints.
        - name: boards
          mountPath: /project/boards
          readOnly: true
        {{- end }}
  volumes:
    # Sockets between the processes, and compiled modules.
    - name: tmp
      emptyDir:
        sizeLimit: 256Mi
    {{- if eq .Values.engine "bigquery" }}
    # Nothing in it is needed after a restart.
    - name: data
      emptyDir:
        sizeLimit: 1Gi
    {{- end }}
    {{- if .Values.backup.enabled }}
    - name: backups
      persistentVolumeClaim:
        claimName: {{ .Release.Name }}-backups
    {{- end }}
    - name: secret
      secret:
        secretName: {{ include "gateway.secret" . }}
        defaultMode: 0440
    {{- with .Values.endpoints.configMap }}
    - name: endpoints
      configMap:
        name: {{ . }}
    {{- end }}
    {{- with .Values.endpoints.sourcesConfigMap }}
    - name: sources
      configMap:
        name: {{ . }}
    {{- end }}
    {{- if and .Values.endpoints.configMap .Values.endpoints.boardsConfigMap }}
    - name: boards
      configMap:
        name: {{ .Values.endpoints.boardsConfigMap }}
    {{- end }}
  {{- if eq .Values.engine "bigquery" }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "gateway.selector" . | nindent 10 }}
  {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
