import { playEvery } from './claims.ts';

playEvery(0, 2);
