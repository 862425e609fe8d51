/** Parses the bundled interface. The build runs it, so that no command needs a YAML parser to begin. */
import { digestOfSources, parsed, prepareDocuments, readSources } from '../src/contract/load.ts';

const sources = readSources();
prepareDocuments(digestOfSources(sources), parsed(sources));
