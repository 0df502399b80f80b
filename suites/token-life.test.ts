import { chapters } from './catalogue.ts';
import { suites } from './suites.ts';

suites.chapter(chapters.tokenLife);
