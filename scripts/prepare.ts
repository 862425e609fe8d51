/** Parses the bundled interface. The build runs it, so that no command needs a YAML parser to begin. */
import { digestOfSources, parsed, readSources } from '../src/contract/load.ts';
import { prepareDocuments } from '../src/contract/prepared.ts';

const sources = readSources();
prepareDocuments(digestOfSources(sources), parsed(sources));
