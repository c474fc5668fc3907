import { EventEmitter } from 'node:events';
import { Engine } from 'bpmn-engine';
import { BpmnModdle } from 'bpmn-moddle';
import { type Case, modelOf, ROUNDS } from './cases.js';
import type { Work } from './measure.js';

/** bpmn-engine on a case: one operation is one instance from start to end. The model is parsed and serialised once, as a host that cares for speed does. */
export async function peerWork(name: Case): Promise<Work> {
  const moddleContext = await new BpmnModdle({}, { nsMap: {} }).fromXML(modelOf(name, 'bpmn-engine'));
  const serializer = new Engine({ name }) as unknown as { _serializeModdleContext(context: unknown): never };
  const sourceContext = serializer._serializeModdleContext(moddleContext);
  return async () => {
    let i = 0;
    const services = {
      work: (_: unknown, done: (error: null) => void) => done(null),
      count: (_: unknown, done: (error: null) => void) => {
        i++;
        done(null);
      },
      more: () => i < ROUNDS,
    };
    const listener = new EventEmitter();
    listener.on('activity.wait', (activity: { signal(): void }) => activity.signal());
    const engine = new Engine({ name, sourceContext });
    const ended = new Promise<void>((resolve, reject) => {
      engine.once('end', () => resolve());
      engine.once('error', reject);
    });
    await engine.execute({ listener: listener as never, services: services as never });
    await ended;
    if ((name === 'c' || name === 'f') && i !== ROUNDS)
      throw new Error(`expected ${ROUNDS} rounds, but bpmn-engine made ${i}`);
  };
}

/** What bpmn-engine stores of an instance of (d) that waits, as JSON text without its model. */
export async function peerStateBytes(): Promise<number> {
  const moddleContext = await new BpmnModdle({}, { nsMap: {} }).fromXML(modelOf('d', 'bpmn-engine'));
  const engine = new Engine({ name: 'd', moddleContext: moddleContext as never });
  const execution = await engine.execute();
  const state = execution.getState();
  const definitions = state.definitions?.map(({ source: _, ...rest }: { source?: unknown }) => rest);
  const bytes = JSON.stringify({ ...state, definitions }).length;
  await execution.stop();
  return bytes;
}
