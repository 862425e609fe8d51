/** Whether the file system caused the error (a full disk, a read-only folder), and not petspec. */
export function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** The error of the file system that an action throws, if any. Rethrows other errors. */
export function fileErrorOf(act: () => unknown): NodeJS.ErrnoException | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (isFileError(error)) return error;
    throw error;
  }
}

/** Whether a text read as UTF-8 is UTF-16, which some Windows editors and shells write: its byte order mark is invalid UTF-8. */
export function isUtf16(text: string): boolean {
  return text.startsWith('\ufffd\ufffd') && text.includes('\0');
}

export const SAVE_AS_UTF8 = 'the file is UTF-16; save it as UTF-8';
