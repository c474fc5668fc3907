// Starts a process, completes its task, and waits for its end. Usage: node client.mjs <url> <password>
import { randomUUID } from 'node:crypto';

const [url = 'http://127.0.0.1:8080', password = ''] = process.argv.slice(2);
const endpoint = `${url}/bin/graphql.cgi/web`;
const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;

/** Sends an operation; a mutation that is sent again with its key is done once. */
async function ask(query, variables, idempotencyKey) {
  const extensions = idempotencyKey && { idempotencyKey };
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables, extensions }),
  });
  const answer = await response.json();
  if (answer.errors) throw new Error(answer.errors.map(({ message }) => message).join('\n'));
  return answer;
}

/** The events of a subscription, one by one. */
async function* events(query, variables) {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query, variables }),
  });
  let text = '';
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    const frames = text.split('\n\n');
    text = frames.pop();
    for (const frame of frames) {
      const data = /^event: next$/m.test(frame) && /^data: (.*)$/m.exec(frame)?.[1];
      if (data) yield JSON.parse(data).data;
    }
  }
}

const started = await ask(
  'mutation ($input: StartProcessInput!) { startProcess(input: $input) { id state } }',
  {
    input: {
      definitionKey: 'invoice-approval',
      variables: [
        { name: 'invoiceNumber', value: 'N-1' },
        { name: 'creditor', value: 'Mill & Sons' },
        { name: 'amount', value: 1200 },
      ],
    },
  },
  randomUUID(),
);
const { id, state } = started.data.startProcess;
console.log(`started: ${state}`);

const found = await ask('query ($id: ID) { tasks(processInstance: $id) { edges { node { id name } } } }', { id });
const [task] = found.data.tasks.edges.map(({ node }) => node);
console.log(`to do: ${task.name}`);
await ask(
  'mutation ($input: CompleteTaskInput!) { completeTask(input: $input) { state } }',
  { input: { taskId: task.id, variables: [{ name: 'approved', value: true }] } },
  randomUUID(),
);

const ended = 'subscription ($after: String) { processEnded(after: $after) { processInstance { id state } } }';
for await (const { processEnded } of events(ended, { after: started.extensions.position })) {
  if (processEnded.processInstance.id !== id) continue;
  console.log(`ended: ${processEnded.processInstance.state}`);
  process.exit(0);
}
