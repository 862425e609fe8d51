import { compiled } from './command-line.ts';

/** Compiles the command line before any test needs it, so that files that start together do not each compile it. */
export default function setup(): void {
  compiled();
}
