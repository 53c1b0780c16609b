import { z } from 'zod';

/**
 * Manifests of Kubernetes, of the fields that the chart uses: any other is an error, as with `kubectl apply --validate=strict`.
 * https://kubernetes.io/docs/reference/kubernetes-api/
 */
const texts = z.record(z.string(), z.string());
const named = z.strictObject({ name: z.string() });
const metadata = z.strictObject({ name: z.string(), labels: texts, annotations: texts.optional() });
const selector = z.strictObject({ matchLabels: texts });
const quantities = z.strictObject({ cpu: z.string().optional(), memory: z.string().optional() });
const resources = z.strictObject({ requests: quantities.optional(), limits: quantities.optional() });

const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string(), port: z.literal('http') }),
  periodSeconds: z.int(),
  timeoutSeconds: z.int(),
  failureThreshold: z.int(),
});

const containerSecurity = z.strictObject({
  allowPrivilegeEscalation: z.literal(false),
  readOnlyRootFilesystem: z.literal(true),
  capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
});

const container = z.strictObject({
  name: z.string(),
  image: z.string(),
  imagePullPolicy: z.enum(['Always', 'IfNotPresent', 'Never']),
  envFrom: z.array(z.strictObject({ configMapRef: named })),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  ports: z.array(z.strictObject({ name: z.string(), containerPort: z.int() })),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  resources,
  securityContext: containerSecurity,
  volumeMounts: z.array(
    z.strictObject({ name: z.string(), mountPath: z.string(), readOnly: z.literal(true).optional() }),
  ),
});

const volume = z.strictObject({
  name: z.string(),
  emptyDir: z.strictObject({ sizeLimit: z.string() }).optional(),
  secret: z.strictObject({ secretName: z.string(), defaultMode: z.int() }).optional(),
  configMap: named.optional(),
  persistentVolumeClaim: z.strictObject({ claimName: z.string() }).optional(),
});

const pod = z.strictObject({
  metadata: z.strictObject({ labels: texts, annotations: texts }),
  spec: z.strictObject({
    serviceAccountName: z.string(),
    automountServiceAccountToken: z.literal(false),
    enableServiceLinks: z.literal(false),
    imagePullSecrets: z.array(named).optional(),
    terminationGracePeriodSeconds: z.int(),
    securityContext: z.strictObject({
      runAsNonRoot: z.literal(true),
      runAsUser: z.int(),
      runAsGroup: z.int(),
      fsGroup: z.int(),
      fsGroupChangePolicy: z.literal('OnRootMismatch'),
      seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
    }),
    containers: z.tuple([container]),
    volumes: z.array(volume),
    topologySpreadConstraints: z
      .array(
        z.strictObject({
          maxSkew: z.int(),
          topologyKey: z.string(),
          whenUnsatisfiable: z.enum(['ScheduleAnyway', 'DoNotSchedule']),
          labelSelector: selector,
        }),
      )
      .optional(),
    nodeSelector: texts.optional(),
    tolerations: z.array(z.record(z.string(), z.unknown())).optional(),
    affinity: z.record(z.string(), z.unknown()).optional(),
  }),
});

const claimed = z.strictObject({
  accessModes: z.tuple([z.literal('ReadWriteOnce')]),
  storageClassName: z.string().optional(),
  resources: z.strictObject({ requests: z.strictObject({ storage: z.string() }) }),
});
const claim = z.strictObject({ metadata: named, spec: claimed });

const jobPod = z.strictObject({
  metadata: z.strictObject({ labels: texts }),
  spec: z.strictObject({
    serviceAccountName: z.string(),
    restartPolicy: z.literal('Never'),
    securityContext: z.strictObject({
      runAsNonRoot: z.literal(true),
      runAsUser: z.int(),
      runAsGroup: z.int(),
      seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
    }),
    containers: z.tuple([
      z.strictObject({
        name: z.string(),
        image: z.string(),
        command: z.array(z.string()),
        securityContext: containerSecurity,
      }),
    ]),
  }),
});

const policyPorts = z.array(
  z.strictObject({ port: z.union([z.int(), z.literal('http')]), protocol: z.enum(['TCP', 'UDP']) }),
);
/** The cluster checks them. */
const peers = z.array(z.record(z.string(), z.unknown()));

const scalingMetric = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('Pods'),
    pods: z.strictObject({
      metric: named,
      target: z.strictObject({ type: z.literal('AverageValue'), averageValue: z.string() }),
    }),
  }),
  z.strictObject({
    type: z.literal('Resource'),
    resource: z.strictObject({
      name: z.enum(['cpu', 'memory']),
      target: z.strictObject({ type: z.literal('Utilization'), averageUtilization: z.int() }),
    }),
  }),
]);

function manifest<K extends string, V extends string, S extends z.ZodRawShape>(kind: K, version: V, rest: S) {
  return z.strictObject({ apiVersion: z.literal(version), kind: z.literal(kind), metadata, ...rest });
}

export const anyManifest = z.discriminatedUnion('kind', [
  manifest('ConfigMap', 'v1', { data: texts }),
  manifest('ServiceAccount', 'v1', {}),
  manifest('Service', 'v1', {
    spec: z.strictObject({
      type: z.enum(['ClusterIP', 'NodePort', 'LoadBalancer']),
      selector: texts,
      ports: z.array(z.strictObject({ name: z.string(), port: z.int(), targetPort: z.string() })),
    }),
  }),
  manifest('StatefulSet', 'apps/v1', {
    spec: z.strictObject({
      serviceName: z.string(),
      replicas: z.literal(1),
      selector,
      template: pod,
      volumeClaimTemplates: z.array(claim),
    }),
  }),
  manifest('Deployment', 'apps/v1', {
    spec: z.strictObject({
      replicas: z.int().optional(),
      strategy: z.strictObject({
        type: z.literal('RollingUpdate'),
        rollingUpdate: z.strictObject({ maxSurge: z.int(), maxUnavailable: z.int() }),
      }),
      selector,
      template: pod,
    }),
  }),
  manifest('PersistentVolumeClaim', 'v1', { spec: claimed }),
  manifest('CronJob', 'batch/v1', {
    spec: z.strictObject({
      schedule: z.string(),
      timeZone: z.literal('Etc/UTC'),
      concurrencyPolicy: z.literal('Forbid'),
      startingDeadlineSeconds: z.int(),
      jobTemplate: z.strictObject({
        spec: z.strictObject({ backoffLimit: z.int(), activeDeadlineSeconds: z.int(), template: jobPod }),
      }),
    }),
  }),
  manifest('Role', 'rbac.authorization.k8s.io/v1', {
    rules: z.array(
      z.strictObject({
        apiGroups: z.tuple([z.literal('')]),
        resources: z.array(z.string()),
        resourceNames: z.array(z.string()),
        verbs: z.array(z.enum(['get', 'create'])),
      }),
    ),
  }),
  manifest('RoleBinding', 'rbac.authorization.k8s.io/v1', {
    roleRef: z.strictObject({ apiGroup: z.string(), kind: z.literal('Role'), name: z.string() }),
    subjects: z.array(z.strictObject({ kind: z.literal('ServiceAccount'), name: z.string() })),
  }),
  manifest('NetworkPolicy', 'networking.k8s.io/v1', {
    spec: z.strictObject({
      podSelector: selector,
      policyTypes: z.array(z.enum(['Ingress', 'Egress'])),
      ingress: z.tuple([z.strictObject({ from: peers.min(1), ports: policyPorts })]),
      egress: z.array(z.strictObject({ to: peers.optional(), ports: policyPorts.optional() })).optional(),
    }),
  }),
  manifest('PodDisruptionBudget', 'policy/v1', {
    spec: z.strictObject({ maxUnavailable: z.int(), selector }),
  }),
  manifest('HorizontalPodAutoscaler', 'autoscaling/v2', {
    spec: z.strictObject({
      scaleTargetRef: z.strictObject({ apiVersion: z.string(), kind: z.string(), name: z.string() }),
      minReplicas: z.int(),
      maxReplicas: z.int(),
      metrics: z.array(scalingMetric),
      behavior: z.strictObject({ scaleDown: z.strictObject({ stabilizationWindowSeconds: z.int() }) }),
    }),
  }),
  manifest('Ingress', 'networking.k8s.io/v1', {
    spec: z.strictObject({
      ingressClassName: z.string().optional(),
      tls: z.array(z.strictObject({ hosts: z.array(z.string()), secretName: z.string() })).optional(),
      rules: z.array(
        z.strictObject({
          host: z.string(),
          http: z.strictObject({
            paths: z.array(
              z.strictObject({
                path: z.literal('/'),
                pathType: z.literal('Prefix'),
                backend: z.strictObject({ service: z.strictObject({ name: z.string(), port: named }) }),
              }),
            ),
          }),
        }),
      ),
    }),
  }),
  manifest('ServiceMonitor', 'monitoring.coreos.com/v1', {
    spec: z.strictObject({
      selector,
      endpoints: z.array(
        z.strictObject({
          port: z.string(),
          path: z.literal('/metrics'),
          interval: z.string(),
          authorization: z.strictObject({
            type: z.literal('Bearer'),
            credentials: z.strictObject({ name: z.string(), key: z.string() }),
          }),
        }),
      ),
    }),
  }),
]);

export type Manifest = z.infer<typeof anyManifest>;

/** The manifest of a kind, of which there must be one. */
export function oneOf<K extends Manifest['kind']>(all: readonly Manifest[], kind: K) {
  const found = all.filter((each): each is Extract<Manifest, { kind: K }> => each.kind === kind);
  const [one] = found;
  if (one === undefined || found.length > 1) throw new Error(`${found.length} of ${kind}`);
  return one;
}
