import { judgeAgain } from './judged-again.ts';

judgeAgain(0, 4);
