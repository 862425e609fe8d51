import { UsageError } from '../../model/usage-error.ts';

/** The name of what a user states: an option on the command line, a setting in a call of petspec's functions. */
export interface StatedName {
  option: string;
  setting: string;
}

/** The option of a setting: `--category-id` of `categoryId`. */
export function optionOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The name of a setting and of its option, such as `categoryId`. @param value shown with it */
export function stated(name: string, value?: string | number): StatedName {
  const option = optionOf(name);
  if (value === undefined) return { option, setting: `'${name}'` };
  return { option: `${option} ${value}`, setting: `'${name}: ${value}'` };
}

/** An error in the words of the command line; {@link inSettings} uses those of settings. */
class StatedError extends UsageError {
  readonly inSettings: string;

  constructor(message: string, inSettings: string) {
    super(message);
    this.inSettings = inSettings;
  }
}

/** A usage error that names options or settings, whichever the user stated. */
export function usageError(
  texts: TemplateStringsArray,
  ...values: readonly (StatedName | string | number)[]
): UsageError {
  const words = (by: keyof StatedName) =>
    String.raw({ raw: texts }, ...values.map((value) => (typeof value === 'object' ? value[by] : value)));
  return new StatedError(words('option'), words('setting'));
}

/** Runs a function for a caller of petspec's functions: usage errors name settings in place of options. */
export async function inSettings<T>(use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    throw error instanceof StatedError ? new UsageError(error.inSettings) : error;
  }
}
