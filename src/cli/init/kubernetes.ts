import type { Deployment } from './deployment.js'
import { heading } from './deployment.js'
import { IMAGE_DATA, IMAGE_USER } from './dockerfile.js'

/** Returns the objects of Kubernetes: one process with one volume, never two at once. */
export function kubernetes(deployment: Deployment): string {
  const { publicUrl } = deployment
  const top = heading(
    deployment,
    'The objects of Kubernetes: kubectl apply --namespace raay --filename raay.yaml',
    'Adapt the network of RAAY_TRUSTED_PROXY, the namespace of the ingress and the size of the volume.',
    `The certificate of ${publicUrl.hostname} is expected in the secret raay-tls.`,
  )
  const objects = [
    statefulSet(deployment),
    service(deployment),
    BUDGET,
    ingress(deployment),
    policy(deployment),
  ]
  return `${top}---\n${objects.join('---\n')}`
}

function statefulSet(deployment: Deployment): string {
  return `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: raay
  labels: { app.kubernetes.io/name: raay }
spec:
  # One process owns the data. A StatefulSet ends the old pod before it starts a new one, never two at once.
  replicas: 1
  serviceName: raay
  selector:
    matchLabels: { app.kubernetes.io/name: raay }
  template:
    metadata:
      labels: { app.kubernetes.io/name: raay }
    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      # Requests in progress are finished, and the files are closed.
      terminationGracePeriodSeconds: 60
      securityContext:
        runAsNonRoot: true
        runAsUser: ${IMAGE_USER}
        runAsGroup: ${IMAGE_USER}
        fsGroup: ${IMAGE_USER}
        fsGroupChangePolicy: OnRootMismatch
        seccompProfile: { type: RuntimeDefault }
      containers:
${container(deployment)}      volumes:
        - name: tmp
          emptyDir: { sizeLimit: 64Mi }
  # The claim stays when the set is deleted.
  persistentVolumeClaimRetentionPolicy: { whenDeleted: Retain, whenScaled: Retain }
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        # A disk of one pod, not a network file system: SQLite needs its locks and its syncs.
        accessModes: [ReadWriteOncePod]
        resources:
          requests: { storage: 20Gi }
`
}

function container({ port, publicUrl, image }: Deployment): string {
  const probe = (path: string) => `httpGet: { path: ${path}, port: http }`
  return `        - name: raay
          image: ${image}
          ports:
            - { name: http, containerPort: ${port} }
          env:
            - { name: RAAY_DATA, value: ${IMAGE_DATA} }
            - { name: RAAY_HOST, value: 0.0.0.0 }
            - { name: RAAY_PORT, value: "${port}" }
            - { name: RAAY_AUTH, value: accounts }
            - { name: RAAY_PUBLIC_URL, value: "${publicUrl.origin}" }
            # Prometheus reaches the pod by this name.
            - { name: RAAY_ALLOWED_HOST, value: raay }
            # The network of the pods of the ingress. The policy below lets nobody else in.
            - { name: RAAY_TRUSTED_PROXY, value: 10.0.0.0/8 }
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          # A long journal is replayed before the exchange listens: up to ten minutes here.
          startupProbe:
            ${probe('/healthz')}
            periodSeconds: 2
            failureThreshold: 300
          livenessProbe:
            ${probe('/healthz')}
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            ${probe('/readyz')}
            periodSeconds: 5
            timeoutSeconds: 3
          resources:
            requests: { cpu: 500m, memory: 512Mi }
            limits: { memory: 2Gi }
          volumeMounts:
            - { name: data, mountPath: /data }
            - { name: tmp, mountPath: /tmp }
`
}

function service({ port }: Deployment): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: raay
  labels: { app.kubernetes.io/name: raay }
spec:
  selector: { app.kubernetes.io/name: raay }
  ports:
    - { name: http, port: ${port}, targetPort: http }
`
}

const BUDGET = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: raay
spec:
  # A drain of the node waits until you delete the pod yourself: an exchange stops when you say so.
  maxUnavailable: 0
  selector:
    matchLabels: { app.kubernetes.io/name: raay }
`

function ingress({ port, publicUrl }: Deployment): string {
  return `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: raay
  annotations:
    # For ingress-nginx: WebSockets have a heartbeat every 20 seconds, backups may take longer.
    nginx.ingress.kubernetes.io/proxy-read-timeout: "3600"
    nginx.ingress.kubernetes.io/proxy-body-size: 1m
    nginx.ingress.kubernetes.io/proxy-buffering: "off"
spec:
  tls:
    - { hosts: [${publicUrl.hostname}], secretName: raay-tls }
  rules:
    - host: ${publicUrl.hostname}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service: { name: raay, port: { number: ${port} } }
`
}

function policy({ port }: Deployment): string {
  return `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: raay
spec:
  podSelector:
    matchLabels: { app.kubernetes.io/name: raay }
  policyTypes: [Ingress]
  # Anything that reaches the port directly could forge X-Forwarded-For. Add the namespace of Prometheus.
  ingress:
    - from:
        - namespaceSelector:
            matchLabels: { kubernetes.io/metadata.name: ingress-nginx }
      ports:
        - { protocol: TCP, port: ${port} }
`
}
