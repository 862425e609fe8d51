import { relative } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import type { Reporter } from '@stryker-mutator/api/report';
import { packageRoot } from '../../src/model/package-root.ts';
import { isUnnoticed } from './unnoticed.ts';

/** Prints each change that nothing notices, as soon as that is known: the whole run takes long. */
class UnnoticedReporter implements Reporter {
  onMutantTested(change: Readonly<MutantResult>): void {
    if (!isUnnoticed(change)) return;
    const { fileName, location, mutatorName, replacement } = change;
    const { start, end } = location;
    const place = `${start.line}:${start.column}-${end.line}:${end.column}`;
    const text = replacement?.replace(/\s+/g, ' ');
    process.stdout.write(`${relative(packageRoot, fileName)}:${place} ${mutatorName} ${text}\n`);
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, 'unnoticed', UnnoticedReporter)];
