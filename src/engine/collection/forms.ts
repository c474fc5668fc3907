import { collection, type Document } from '../../store/documents.js';

/** A version of a form of Camunda's; its JSON is the resource's. Id: `key:version:uuid`. */
export interface FormDefinition extends Document {
  readonly key: string;
  readonly version: number;
  /** Whether no newer version of the key is deployed. */
  readonly latest: boolean;
  readonly deploymentId: string;
  readonly resourceName: string;
  readonly deleting: boolean;
}

export const formDefinitions = collection<FormDefinition>({
  name: 'formDefinition',
  columns: {
    key: (it) => it.key,
    age: (it) => -it.version,
    latest: (it) => (it.latest ? 1 : null),
    deploymentId: (it) => it.deploymentId,
  },
  indexes: {
    /** Newest first. */
    key: { columns: ['key', 'age'], unique: true },
    latest: { columns: ['latest', 'key'] },
    deployment: { columns: ['deploymentId', 'key'] },
  },
  visible: (_, it) => !it.deleting,
});
