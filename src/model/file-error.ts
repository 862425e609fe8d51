/** Whether the file system is to blame (a full disk, a folder that became read-only), and not petspec. */
export function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** The file system's error, if an action fails with one. Any other error is thrown. */
export function fileErrorOf(act: () => unknown): NodeJS.ErrnoException | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (isFileError(error)) return error;
    throw error;
  }
}
