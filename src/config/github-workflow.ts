import { type CiTarget, NODE, scalar, shareKeys } from './ci-target.ts';

/** Where GitHub Actions looks for it. */
export const GITHUB_FILE = '.github/workflows/petspec.yml';

/**
 * A workflow for GitHub Actions that judges targets of a configuration: with several a job for each, and one that
 * compares their reports.
 * @param version of petspec, which stays the same until somebody changes it there
 */
export function renderGithubWorkflow(targets: readonly CiTarget[], version: string): string {
  return `${HEAD}${targets.length === 1 ? single(targets, version) : several(targets, version)}`;
}

const HEAD = `# Judges what petspec.config.yaml names, by petspec. The keys are secrets of this repository.
name: petspec
on:
  push:
    branches: [main]
  workflow_dispatch:
permissions:
  contents: read
# Two runs with the same key would use up each other's limit.
concurrency:
  group: petspec
  cancel-in-progress: false
jobs:
`;

const SETUP = `      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: ${NODE}
`;

function single(targets: readonly CiTarget[], version: string): string {
  return targets
    .map(
      ({ name, apiKeyVariable }) => `  judge:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
${SETUP}      - name: Judge ${name}
        env:
          ${apiKeyVariable}: \${{ secrets.${apiKeyVariable} }}
        run: npx --yes petspec@${version} run ${name} --out reports/${name}
      - name: Keep the reports
        if: \${{ !cancelled() }}
        uses: actions/upload-artifact@v5
        with:
          name: petspec-${name}
          path: reports/${name}
`,
    )
    .join('');
}

function several(targets: readonly CiTarget[], version: string): string {
  const matrix = targets
    .map(
      ({ name, apiKeyVariable }) =>
        `          - target: ${scalar(name)}\n            variable: ${apiKeyVariable}\n`,
    )
    .join('');
  const oneByOne = shareKeys(targets) ? '      # Some have a key in common.\n      max-parallel: 1\n' : '';
  return `  judge:
    name: Judge \${{ matrix.target }}
    runs-on: ubuntu-latest
    timeout-minutes: 20
    strategy:
      fail-fast: false
${oneByOne}      matrix:
        include:
${matrix}    steps:
${SETUP}      - name: Judge
        env:
          TARGET: \${{ matrix.target }}
          VARIABLE: \${{ matrix.variable }}
          KEY: \${{ secrets[matrix.variable] }}
        run: |
          export "$VARIABLE=$KEY"
          npx --yes petspec@${version} run "$TARGET" --out "reports/$TARGET"
      - name: Keep the reports
        if: \${{ !cancelled() }}
        uses: actions/upload-artifact@v5
        with:
          name: petspec-\${{ matrix.target }}
          path: reports/\${{ matrix.target }}
  compare:
    name: Compare
    needs: judge
    if: \${{ !cancelled() }}
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
      - uses: actions/setup-node@v5
        with:
          node-version: ${NODE}
      - name: Gather the reports
        uses: actions/download-artifact@v5
        with:
          pattern: petspec-*
          path: reports
      - name: Compare
        run: |
          npx --yes petspec@${version} compare reports/*/report.json --format markdown >> "$GITHUB_STEP_SUMMARY"
          npx --yes petspec@${version} compare reports/*/report.json --format html > comparison.html
      - name: Keep the comparison
        uses: actions/upload-artifact@v5
        with:
          name: comparison
          path: comparison.html
`;
}
