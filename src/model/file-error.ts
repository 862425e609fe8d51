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

/** Whether what was read as UTF-8 is UTF-16, as some editors and shells of Windows write it: its byte order mark is no UTF-8. */
export function isUtf16(text: string): boolean {
  return text.startsWith('\ufffd\ufffd') && text.includes('\0');
}

/** What to do about it. */
export const SAVE_AS_UTF8 = 'the file is UTF-16; save it as UTF-8';
