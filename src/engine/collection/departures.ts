import { collection, type Document } from '../../store/documents.js';

/** An instance has left a definition for another one: what it did before is told by that program. Id: `<definition id>/<instance id>`. */
export interface Departure extends Document {
  readonly definitionId: string;
  readonly instanceId: string;
}

export const departures = collection<Departure>({
  name: 'departure',
  columns: { definitionId: (it) => it.definitionId, instanceId: (it) => it.instanceId },
  indexes: {
    definition: { columns: ['definitionId'] },
    instance: { columns: ['instanceId'] },
  },
});

export const departureId = (definitionId: string, instanceId: string): string => `${definitionId}/${instanceId}`;
