/** Text that does something when it is printed without escaping. */
const hostileTexts: readonly string[] = [
  '\u001B[2J\u001B]0;title\u0007\u001B]8;;http://evil.example\u0007link',
  '\u009B31mred',
  'over\rwritten',
  '\n::error file=a,line=1::annotated\n::set-output name=a::b\n  ::stop-commands::x',
  '##[error]annotated ##vso[task.setvariable variable=a]b ##teamcity[buildProblem]',
  '\u202Etxt.exe\u202C \u2066hidden\u2069 \u200Bzero\u00ADwidth\uFEFF',
  'line\u2028separator\u2029',
  ']]></system-out></testcase></testsuite><testsuite>',
  'nul\u0000 bell\u0007 back\u0008 delete\u007F \uFFFE\uFFFF',
  '<script>alert(1)</script><img src=x onerror=alert(1)><!-- --!>',
  '" onmouseover="alert(1)" \' autofocus onfocus=\'alert(1)',
  '&lt;script&gt; &#x1b;[2J &amp;amp; &nosuch;',
  '[click](javascript:alert(1)) ![pixel](http://evil.example/x.png) <http://evil.example> | a | `b` |',
  "=cmd|' /C calc'!A0",
  '@SUM(1+1)*cmd',
  '$(touch pwned) `touch pwned` ; touch pwned %s %n ${7*7} {{7*7}}',
];

/** All of them as the content of a JSON string, with lone surrogates, which need escapes. */
export const hostileJson = `${JSON.stringify(hostileTexts.join(' ')).slice(1, -1)}\\ud83d \\udc00`;

/** The bytes of them that are valid in a header. */
export const hostileField = Buffer.from(hostileTexts.join(' '))
  .toString('latin1')
  .replace(/[^\t\u0020-\u007E\u0080-\u00FF]/g, ' ');
