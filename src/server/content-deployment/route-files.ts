import {
  ALL_ROUTES,
  type DeployedRoutes,
  type DeployRoutes,
  deployed,
  type Eip,
  type EipServices,
} from '../../eip/index.js';
import { type Caller, systemCaller } from '../../shared/caller.js';
import { ServiceError } from '../../shared/errors.js';
import { type AnyOperation, operation } from '../../store/index.js';
import { type DeploymentKind, hashIn, warningText } from './deployment-kind.js';

/** Below these, every file of routes is deployed. */
export const ROUTE_ROOTS: readonly string[] = ['/etc/eip/routes', '/content/WEB-INF/routes'];

/** Format of a file of routes, by its name. */
export const formatOf = (path: string): 'yaml' | 'xml' => (path.endsWith('.xml') ? 'xml' : 'yaml');

/**
 * Routes: whoever wrote the file deploys it, and is whom its routes act as. They go with their file. `callerOf`: a user with the rights of now.
 */
export const routeFiles = (
  { api, services }: Pick<Eip, 'api' | 'services'>,
  callerOf: (userId: string, workspace: string) => Caller,
): DeploymentKind & { readonly operation: AnyOperation } => {
  const deployRouteFile = deployFile(services);
  return {
    name: 'route',
    engine: 'eip',
    roots: ROUTE_ROOTS,
    endings: ['.yaml', '.yml', '.xml'],
    byBytes: false,
    operation: deployRouteFile,
    async deploy(partition, { nodeId, path, content, hash, userId }) {
      if (userId === null) throw nobodyKnown(path);
      const input = { fileId: nodeId, path, format: formatOf(path), text: content, hash };
      const caller = callerOf(userId, partition.workspace);
      const { answer } = await partition.send(deployRouteFile, input, { caller });
      return answer && { deploymentId: nodeId, warnings: answer.warnings.map(warningText) };
    },
    async withdraw(partition, nodeId) {
      const caller = systemCaller(partition.workspace);
      await partition.send(api.withdrawRoutes, { fileId: nodeId }, { caller });
    },
  };
};

/** A file, and the hash of its bytes. */
type HashedFile = DeployRoutes & { readonly hash: string };

/** Deploys a file with the bytes that it has; null: it has others by now, and whoever wrote them deploys these. */
const deployFile = (services: EipServices) => ({
  ...operation<HashedFile, DeployedRoutes | null>('deployRouteFile', (state, { hash, ...file }, context) => {
    if (hashIn(state, file.fileId) !== hash) return { answer: null };
    return deployed(services, state, file, context);
  }),
  limits: ALL_ROUTES,
});

/** Routes act as somebody: they are not deployed for whoever it may have been. */
const nobodyKnown = (path: string) =>
  new ServiceError(
    'CONFLICT',
    `expected one user who wrote '${path}', as whom its routes are to act, but nobody is known, or it was several at once: whoever changes it again deploys it`,
    { reason: 'deployer_unknown', resourceId: path },
  );
