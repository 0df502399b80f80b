/** Text with an effect on terminals, logs and markup; each part contains a word by which tests find it. */
export const hostileText = [
  '\u001B[2J\u001B]0;title\u0007escaped',
  'returned\r::error::carriage',
  '\n::error title=forged::line\n::stop-commands::x\n##[error]hash\n##vso[task.complete]vso\n',
  '\u202Eoverride\u2066isolate\u200Binvisible',
  ']]>closed<![CDATA[',
  '\u0000\u0001\u000B\uFFFE\uFFFFforbidden',
  '</failure><script>alert(1)</script><img src=x onerror=alert(2)>&amp;markup',
  '[link](https://evil.example/a) ![image](https://evil.example/b.png) <https://evil.example/c>',
  'https://evil.example/d www.evil.example mail@evil.example @octocat #1 GH-2 octo/cat#3',
  '\n```\n~~~\n# heading\n| a | b |\n|---|---|\n\\`\\|fences`` ` ',
  '=cmd|"/c calc"!A1',
].join(' ');
