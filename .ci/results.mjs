// Names each failed test of Vitest's JSON reports in a folder, and prints how many tests passed and failed last.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  const report = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  for (const { name, status, message, assertionResults } of report.testResults) {
    if (status === 'failed' && message) console.log(`\nFailed: ${name}\n${message.slice(0, 3000)}`);
    for (const test of assertionResults.filter((result) => result.status === 'failed'))
      console.log(`\nFailed: ${name} > ${test.fullName}\n${test.failureMessages.join('\n').slice(0, 3000)}`);
  }
}
console.log(`${passed} ${failed}`);
