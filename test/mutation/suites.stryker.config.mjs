import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
