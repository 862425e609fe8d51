/**
 * Whether a change has somebody else use the key. With many requests a second nothing shows who uses it now and then, so the
 * user has to say so.
 */
export function isKeyShared(id: string): boolean {
  return id.startsWith('shared-key-');
}
