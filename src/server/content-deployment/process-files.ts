import { deployedResources, deployments, type Engine } from '../../engine/index.js';
import { systemCaller } from '../../shared/caller.js';
import type { ReplicaSide } from '../../store/index.js';
import { type DeploymentKind, warningText } from './deployment-kind.js';

/** Models of processes and decisions: each that lies below the roots is deployed, by the system. What a file deployed stays in force when that goes. */
export const processFiles = ({ api }: Pick<Engine, 'api'>): DeploymentKind => ({
  name: 'process',
  engine: 'bpm',
  roots: ['/etc/bpm/processes', '/content/WEB-INF/processes'],
  endings: ['.bpmn', '.bpmn20.xml', '.dmn', '.dmn11.xml', '.form'],
  byBytes: true,
  async deploy(partition, { path, content }) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    // Filtered, so that a comparison that is done again after a crash deploys nothing twice.
    const input = { name: path, source: path, resources: [{ name, content }], enableDuplicateFiltering: true };
    const caller = systemCaller(partition.workspace);
    const { answer: deploymentId } = await partition.send(api.deployProcess, input, { caller });
    return { deploymentId, warnings: warningsOf(partition.replica, deploymentId) };
  },
});

/** What the deployment's files are warned of. */
function warningsOf(replica: ReplicaSide, deploymentId: string): string[] {
  const state = replica.read();
  const deployment = state.get(deployments, deploymentId);
  const warnings =
    deployment === undefined ? [] : deployedResources(state, deployment).flatMap((it) => it.warnings ?? []);
  return warnings.map(warningText);
}
