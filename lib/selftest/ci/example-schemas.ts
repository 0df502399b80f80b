import { z } from 'zod';

/*
 * The parts of the configuration formats of CI systems that the examples use, by their documentation. Unknown members
 * are rejected, because these systems ignore some of them without a word, or reject the file.
 */

const text = z.string().min(1);
const variables = z.record(z.string().regex(/^[A-Z_]+$/), text);
const minutes = z.int().min(1);

const gitlabJob = z.strictObject({
  extends: text.optional(),
  image: text.optional(),
  stage: text.optional(),
  variables: variables.optional(),
  before_script: z.array(text).optional(),
  script: z.array(text).optional(),
  needs: z.array(text).optional(),
  parallel: z.int().min(2).max(200).optional(),
  resource_group: text.optional(),
  timeout: text.optional(),
  artifacts: z
    .strictObject({
      when: z.enum(['on_success', 'on_failure', 'always']).optional(),
      paths: z.array(text).optional(),
      expire_in: text.optional(),
      reports: z.strictObject({ junit: text }).optional(),
    })
    .optional(),
  rules: z.array(z.strictObject({ if: text, when: z.enum(['always', 'never']).optional() })).optional(),
});

export const gitlab = z.object({ stages: z.array(text) }).catchall(gitlabJob);

const circleRun = z.strictObject({ name: text, command: text });
const circleStep = z.union([
  z.enum(['checkout', 'install-suite']),
  z.strictObject({ run: circleRun }),
  z.strictObject({ persist_to_workspace: z.strictObject({ root: text, paths: z.array(text) }) }),
  z.strictObject({ attach_workspace: z.strictObject({ at: text }) }),
  z.strictObject({ store_test_results: z.strictObject({ path: text }) }),
  z.strictObject({ store_artifacts: z.strictObject({ path: text }) }),
]);

export const circleci = z.strictObject({
  version: z.literal(2.1),
  commands: z.record(text, z.strictObject({ steps: z.array(circleStep) })),
  jobs: z.record(
    text,
    z.strictObject({
      docker: z.array(z.strictObject({ image: text })).min(1),
      parallelism: z.int().min(1).optional(),
      environment: variables.optional(),
      steps: z.array(circleStep),
    }),
  ),
  workflows: z.record(
    text,
    z.strictObject({
      jobs: z.array(
        z.record(text, z.strictObject({ context: text.optional(), requires: z.array(text).optional() })),
      ),
    }),
  ),
});

export const buildkite = z.strictObject({
  env: variables,
  steps: z.array(
    z.strictObject({
      label: text,
      key: text.optional(),
      depends_on: text.optional(),
      parallelism: z.int().min(1).optional(),
      timeout_in_minutes: minutes,
      command: text,
      artifact_paths: text,
    }),
  ),
});

/** A name of Kubernetes (RFC 1123). */
const label = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/);
const metadata = z.strictObject({ name: label });
const amount = z.string().regex(/^\d+(?:m|Mi|Gi)?$/);
const amounts = z.strictObject({ cpu: amount.optional(), memory: amount.optional() });

const container = z.strictObject({
  name: label,
  image: text,
  command: z.array(text),
  args: z.array(text),
  env: z
    .array(
      z.union([
        z.strictObject({ name: text, value: z.string() }),
        z.strictObject({
          name: text,
          valueFrom: z.strictObject({ secretKeyRef: z.strictObject({ name: label, key: text }) }),
        }),
      ]),
    )
    .optional(),
  resources: z.strictObject({ requests: amounts, limits: amounts }).optional(),
  volumeMounts: z.array(
    z.strictObject({ name: label, mountPath: z.string().startsWith('/'), readOnly: z.boolean().optional() }),
  ),
});

const pod = z
  .strictObject({
    restartPolicy: z.enum(['Never', 'OnFailure']),
    automountServiceAccountToken: z.boolean(),
    securityContext: z.strictObject({
      runAsNonRoot: z.literal(true),
      runAsUser: z.int().min(1),
      fsGroup: z.int().min(1),
      seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
    }),
    initContainers: z.array(container),
    containers: z.array(container).min(1),
    volumes: z.array(
      z.union([
        z.strictObject({ name: label, emptyDir: z.strictObject({}) }),
        z.strictObject({ name: label, persistentVolumeClaim: z.strictObject({ claimName: label }) }),
      ]),
    ),
  })
  .refine(
    ({ initContainers, containers, volumes }) =>
      [...initContainers, ...containers].every(({ volumeMounts }) =>
        volumeMounts.every(({ name }) => volumes.some((volume) => volume.name === name)),
      ),
    { error: 'a container mounts a volume that the pod does not have' },
  );

const job = z
  .strictObject({
    apiVersion: z.literal('batch/v1'),
    kind: z.literal('Job'),
    metadata,
    spec: z.strictObject({
      completionMode: z.literal('Indexed').optional(),
      completions: z.int().min(1).optional(),
      parallelism: z.int().min(1).optional(),
      backoffLimit: z.int().min(0).optional(),
      backoffLimitPerIndex: z.int().min(0).optional(),
      activeDeadlineSeconds: z.int().min(1),
      template: z.strictObject({ spec: pod }),
    }),
  })
  .refine(({ spec }) => spec.backoffLimitPerIndex === undefined || spec.completionMode === 'Indexed', {
    error: 'backoffLimitPerIndex needs completionMode Indexed',
  });

const claim = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('PersistentVolumeClaim'),
  metadata,
  spec: z.strictObject({
    accessModes: z.array(z.enum(['ReadWriteOnce', 'ReadWriteMany'])),
    resources: z.strictObject({ requests: z.strictObject({ storage: amount }) }),
  }),
});

export const kubernetes = z.array(z.discriminatedUnion('kind', [job, claim]));
export type KubernetesJob = z.infer<typeof job>;
