import { playEvery } from './claims.ts';

playEvery(1, 2);
