import { judgeAgain } from './judged-again.ts';

judgeAgain(3, 4);
