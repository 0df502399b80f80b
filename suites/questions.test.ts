import { questions } from './catalogue.ts';
import { suites } from './suites.ts';

suites.questions('not specified by the interface', questions);
