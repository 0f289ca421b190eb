import { expect, it } from 'vitest'
import { explainingLine } from './error-lines.ts'

/** The line of each text that explains its error, beside the one that was expected. */
function expectLines(lines: Readonly<Record<string, string | undefined>>): void {
  expect(Object.fromEntries(Object.keys(lines).map((text) => [text, explainingLine(text)]))).toEqual(lines)
}

it('the line that explains an error is not a label, or one that only leads to the next', () => {
  expectLines({
    '\n  no moss here\nnone': 'no moss here',
    '[stderr]\noh no\n': 'oh no',
    'stderr:\r\n\r\noh no\r\n': 'oh no',
    'Output:\nError:\nno fern': 'no fern',
    'The call of "read" is invalid:\n  - path: missing\n': 'The call of "read" is invalid: path: missing',
    'The pot is:': 'The pot is:',
    '[stderr]': '[stderr]',
    '错误：\n花盆是空的': '错误：花盆是空的',
    'Error：\nno fern': 'no fern',
    'Erreur\u00a0:\nplus de mousse': 'Erreur\u00a0: plus de mousse',
    ' \n': undefined,
  })
})

it('a rule of signs never explains an error', () => {
  expectLines({
    '=====\nno fern': 'no fern',
    '\u001b[31m-----\u001b[0m\nno fern': 'no fern',
    'Error:\n*****\nno fern': 'no fern',
    'The pot is:\n━━━━━\nempty': 'The pot is: empty',
    '│\n╰──╯\n': undefined,
  })
})

it('how a command ended explains nothing beyond the line behind it', () => {
  expectLines({
    'Exit code 1\nno fern': 'Exit code 1: no fern',
    'exit code: 1\n\n-----\nno fern': 'exit code: 1: no fern',
    'Process exited with code 3\nno fern': 'Process exited with code 3: no fern',
    'Command failed with exit code 2.\nno fern': 'Command failed with exit code 2: no fern',
    '[Command exited with code 3]\nstderr:\nno fern': '[Command exited with code 3]: no fern',
    'Exit code 7\n': 'Exit code 7',
    'exit now\nno fern': 'exit now',
  })
})

const PYTHON = ['Traceback (most recent call last):', '  File "a.py", line 3, in b', '    c()']

it('of an error that nobody caught, it is the line that says so, whatever was printed before', () => {
  const errors: Readonly<Record<string, readonly [expected: string, ...lines: string[]]>> = {
    Python: ['KeyError: fern', 'watering', ...PYTHON, 'KeyError: fern', 'note: dry', 'done'],
    'Python with other names': ['shed.Locked: no key', 'watering', ...PYTHON, 'shed.Locked: no key'],
    'Python without a source': ['Locked: no key', ...PYTHON.slice(0, 2), 'Locked: no key'],
    'Python, twice': ['ValueError: b', ...PYTHON, 'KeyError: a', 'During that:', ...PYTHON, 'ValueError: b'],
    'Python, within lines that are indented': [
      'KeyError: a',
      ...[...PYTHON, 'KeyError: a'].map((line) => `  ${line}`),
    ],
    'Python, a group': [
      'ExceptionGroup: pots (2 sub-exceptions)',
      '  + Exception Group Traceback (most recent call last):',
      '  |   File "a.py", line 1, in <module>',
      '  | ExceptionGroup: pots (2 sub-exceptions)',
      '  +-+---------------- 1 ----------------',
      '    | KeyError: fern',
    ],
    'Python that cannot be read': [
      "SyntaxError: '(' was never closed",
      'watering',
      '  File "a.py", line 1',
      '    c((',
      '      ^',
      "SyntaxError: '(' was never closed",
    ],
    'a trace that was cut off': ['watering', 'watering', ...PYTHON],
    Node: [
      'Error: boom',
      'watering',
      '/a/b.js:3',
      '  throw new Error("boom")',
      '  ^',
      '',
      'Error: boom',
      '    at c (/a/b.js:3:9)',
      '',
      'Node.js v24.21.0',
    ],
    'Node, in its own source': [
      'AssertionError [ERR_ASSERTION]: dry',
      'Exit code 1',
      'node:internal/modules/run_main:107',
      '    triggerUncaughtException(',
      '    ^',
      '',
      'AssertionError [ERR_ASSERTION]: dry',
      '    at file:///a.js:5:8 {',
    ],
    'a text': ['dry', '[eval]:1', 'throw "dry"', '^', 'dry', '(Use `node --trace-uncaught ...` to show it)'],
    'a bundler': ['no pot', 'no pot', 'file: /a/b.js:3:4', '  pot()', '  ^', '    at getError (c.js:1:2)'],
    Ruby: [
      "a.rb:3:in 'pot': dry (RuntimeError)",
      'watering',
      "a.rb:3:in 'pot': dry (RuntimeError)",
      "\tfrom a.rb:5:in '<main>'",
    ],
    Java: [
      'Exception in thread "main" java.lang.IllegalStateException: dry',
      'watering',
      'Exception in thread "main" java.lang.IllegalStateException: dry',
      '\tat Pot.main(Pot.java:3)',
    ],
    Go: [
      'panic: dry',
      'watering',
      'panic: dry',
      '',
      'goroutine 1 [running]:',
      'main.main()',
      'exit status 2',
    ],
    Rust: [
      "thread 'main' panicked at src/main.rs:2:5: dry",
      'watering',
      "thread 'main' panicked at src/main.rs:2:5:",
      'dry',
      'note: run with `RUST_BACKTRACE=1`',
    ],
    'C#': [
      'Unhandled exception. System.Exception: dry',
      'watering',
      'Unhandled exception. System.Exception: dry',
      '   at Pot.Main()',
    ],
    'C++': ['what():  dry', "terminate called after throwing an instance of 'Dry'", '  what():  dry'],
    PHP: [
      'PHP Fatal error:  Uncaught Dry in /a.php:3',
      'watering',
      'PHP Fatal error:  Uncaught Dry in /a.php:3',
      'Stack trace:',
    ],
    Elixir: ['** (RuntimeError) dry', 'watering', '** (RuntimeError) dry', '    a.exs:1: (file)'],
  }
  const lines = Object.entries(errors).map(([name, [, ...text]]) => [name, explainingLine(text.join('\n'))])
  const expected = Object.entries(errors).map(([name, [line, ...text]]) => [
    name,
    text[0] === 'Exit code 1' ? `Exit code 1: ${line}` : line,
  ])
  expect(lines).toEqual(expected)
})

it('a log of errors does not explain more than a first line that says what failed', () => {
  expectLines({ '3 pots did not stand\nError: a\n    at b (c.js:1:2)\nTypeError: d': '3 pots did not stand' })
})

it('of what tests and compilers print, it is the first that says what failed', () => {
  expectLines({
    '\n> pots@1.0.0 build\n> tsc -p .\n\na.ts(3,5): error TS2322: no pot\n':
      'a.ts(3,5): error TS2322: no pot',
    '==== test session starts ====\ncollected 2 items\n\nFAILED a.py::test_pot - assert 1 == 2\n':
      'FAILED a.py::test_pot - assert 1 == 2',
    '   Compiling moss v0.1.0 (/w)\nerror[E0425]: cannot find value `pot`\n --> src/main.rs:2:5\nerror: could not compile':
      'error[E0425]: cannot find value `pot`',
    'cc -o a a.c\na.c:3:5: error: no pot\nmake: *** [all] Error 1': 'a.c:3:5: error: no pot',
    ' RUN  v3.1.0 /w\n\n FAIL  a.test.ts > pours\nAssertionError: expected 2 to be 3':
      'AssertionError: expected 2 to be 3',
    'To git.example.com:a/b.git\n ! [rejected] main -> main\nerror: failed to push': 'error: failed to push',
    '#1 [internal] load\n#2 DONE 0.1s\nERROR: failed to solve: no pot': 'ERROR: failed to solve: no pot',
    '  % Total  % Received\n  0  0  0\ncurl: (6) Could not resolve host: pot':
      'curl: (6) Could not resolve host: pot',
    '⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯\n FAIL  a.test.ts > pours\nAssertionError: dry': 'FAIL  a.test.ts > pours',
    '1 | throw new Error("dry")\n          ^\nerror: dry': 'error: dry',
    '✔ pours\n✖ a pot holds water (4ms)\nℹ pass 1\nℹ fail 1': '✖ a pot holds water (4ms)',
    'watered 3\nbash: line 3: pour: command not found': 'bash: line 3: pour: command not found',
    'watered 3\nthe pot is dry': 'watered 3',
  })
})

it('what was counted where nothing failed, and that another program failed, explain nothing', () => {
  for (const [text, line] of [
    ['ok 1\n0 errors, 0 warnings\nSegmentation fault (core dumped)', 'Segmentation fault (core dumped)'],
    ['gcc moss.c\nld: symbol(s) not found\nmake: *** [all] Error 2', 'ld: symbol(s) not found'],
    ['make[1]: *** [Makefile:5: all] Error 1', 'make[1]: *** [Makefile:5: all] Error 1'],
    [
      "make: *** No rule to make target 'moss'.  Stop.\nbye",
      "make: *** No rule to make target 'moss'.  Stop.",
    ],
    ['✔ one\n✖ two is refused (3ms)\n  AssertionError', '✖ two is refused (3ms)'],
    ['running\n  AssertionError', 'AssertionError'],
    ['0 warnings, 3 failed\nbye', '0 warnings, 3 failed'],
    ['no errors, 2 failures\nbye', 'no errors, 2 failures'],
  ] as const)
    expect(explainingLine(text)).toBe(line)
})

it('what a client says of an output explains nothing', () => {
  expectLines({
    'Total output lines: 900\n\nno fern': 'no fern',
    'Warning: truncated output (original token count: 9)\nTotal output lines: 9\n\ndry': 'dry',
    '...output truncated...\n\nFull output saved to: /tmp/a\n\nthe last of it': 'the last of it',
    '(empty)': '(empty)',
    '> pots@1.0.0 test\n(no output)\n\nCommand exited with code 1': 'Command exited with code 1',
    'no fern\nCommand failed with exit code: 4.': 'no fern',
  })
})

it('why the client stopped a command explains more than what was printed before', () => {
  expectLines({
    'Error: dry\n\nCommand timed out after 5 seconds': 'Command timed out after 5 seconds',
    'partial\n\nCommand aborted': 'Command aborted',
    'partial\nCommand killed by timeout (3s)': 'Command killed by timeout (3s)',
  })
})

it('finds the error that nobody caught behind a long output', () => {
  const text = ['watering', 'drip\n'.repeat(20_000), ...PYTHON, 'KeyError: fern'].join('\n')
  expect(explainingLine(text)).toBe('KeyError: fern')
})

it('an error in JSON is explained by what it says', () => {
  expectLines({
    '{"error":"dry","code":7}': 'dry',
    '{\n  "status": "error",\n  "message": "the pot is dry"\n}': 'the pot is dry',
    'Exit code 1\n{\n  "error": { "code": 3, "message": "no fern" }\n}': 'Exit code 1: no fern',
    '{"error":{"message":"{\\"message\\":\\"no moss\\"}"}}': 'no moss',
    '400 {"type":"error","error":{"message":"too many pots"}}': '400 too many pots',
    '503: {"code":null,"message":"Overloaded."}': '503: Overloaded.',
    '{"pots": 3}': '{"pots": 3}',
    '{ no JSON\nError: no fern': 'Error: no fern',
  })
})

it('what pytest did not expect explains a failed test', () => {
  const report = (lines: string) =>
    `==== test session starts ====\ncollected 1 item\n\na.py F\n\n____ test_pot ____\n\n    def test_pot():\n>       assert count() == 2\n${lines}\n\na.py:5: AssertionError\n==== 1 failed in 0.01s ====\n`
  expectLines({
    [report('E       assert 1 == 2\nE        +  where 1 = count()')]: 'assert 1 == 2',
    [report("E       KeyError: 'fern'")]: "KeyError: 'fern'",
    [`Exit code 1\n${report('E       AssertionError: no moss')}`]: 'Exit code 1: AssertionError: no moss',
    [report(
      'E       KeyError: 1\n\nDuring handling of the above exception, another exception occurred:\n\nE       PotError: dry',
    )]: 'PotError: dry',
    [report('E     File "a.py", line 2\nE       pots = [\nE              ^\nE   SyntaxError: never closed')]:
      'SyntaxError: never closed',
    [`E                             [100%]\n____ ERROR at setup of test_pot ____\n${report("E       fixture 'fern' not found")}`]:
      "fixture 'fern' not found",
    [`${report('E       assert 1 == 2')}____ test_fern ____\nE       assert 3 == 4`]: 'assert 1 == 2',
  })
})
