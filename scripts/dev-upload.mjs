import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const FOLDER = '/etc/bpm/processes';

/**
 * Puts a model into the tree of the workspace `web`, from where it is deployed. `name`: its path below `processes/`. Answers why it cannot be:
 * `problem`; undefined: it is.
 */
export async function uploadModel(baseUrl, file, name) {
  if (!existsSync(file)) return { problem: 'the file is gone; what was deployed of it stays' };
  const ask = asker(baseUrl);
  const { initiateMultipartUpload } = await ask('mutation { initiateMultipartUpload { uploadId } }');
  const { uploadId } = initiateMultipartUpload;
  const data = readFileSync(file).toString('base64');
  await ask(
    'mutation ($input: AppendMultipartUploadChunkInput!) { appendMultipartUploadChunk(input: $input) { totalSize } }',
    { uploadId, data },
  );
  const at = posix.join(FOLDER, posix.dirname(name.replaceAll('\\', '/')));
  const place = { path: at, name: posix.basename(name), mimeType: 'application/bpmn+xml', overwrite: true };
  const { refusedModels = [] } = await ask(
    'mutation ($input: CompleteMultipartUploadInput!) { completeMultipartUpload(input: $input) { id } }',
    { uploadId, ...place },
    'extensions',
  );
  return { problem: refusedModels[0]?.problem };
}

/** Asks the API as `admin`, and gives one part of the answer. */
function asker(baseUrl) {
  const headers = {
    'Content-Type': 'application/json',
    Authorization: `Basic ${Buffer.from(`admin:${adminPassword()}`).toString('base64')}`,
  };
  return async (query, input, part = 'data') => {
    const body = JSON.stringify({ query, variables: { input } });
    const reply = await fetch(`${baseUrl}/bin/graphql.cgi/web`, { method: 'POST', headers, body });
    const answer = await reply.json();
    if (answer.errors !== undefined) throw new Error(answer.errors[0].message);
    return answer[part] ?? {};
  };
}

function adminPassword() {
  const { MILLRACE_ADMIN_PASSWORD, MILLRACE_ADMIN_PASSWORD_FILE, MILLRACE_DATA } = process.env;
  if (MILLRACE_ADMIN_PASSWORD) return MILLRACE_ADMIN_PASSWORD;
  return readFileSync(MILLRACE_ADMIN_PASSWORD_FILE || join(MILLRACE_DATA || 'data', 'admin-password'), 'utf8').trim();
}
