/** The bucket of a node by its identifier alone, or of another text: what happens to others never moves it. `count`: a power of two. */
export function bucketOf(id: string, count: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) & (count - 1);
}
