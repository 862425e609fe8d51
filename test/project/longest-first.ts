import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, although they are short. */
const LONG = /\/(?:judged-again-\d|memory\.hostile|slow\.hostile|(?:clients|matrix|pairs)\.selfcheck)/;

/**
 * Begins with the files that take longest: at the end, a worker would be busy with one of them while the others have nothing
 * to do. Without the results of an earlier run, vitest takes the largest files to be the longest. All files of a project come
 * in a row, since a worker ends where the next file is of another project, and the new one has to compile all again.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    const longestFirst = [...sorted.filter(isLong), ...sorted.filter((each) => !isLong(each))];
    const projects = [...new Set(longestFirst.map(({ project }) => project))];
    return projects.flatMap((own) => longestFirst.filter(({ project }) => project === own));
  }
}
