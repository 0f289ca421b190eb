import { describe, expect, it } from 'vitest'
import { toolError } from './tool-results.ts'

const errorOf = (message: Record<string, unknown>, text: string, tool = 'exec'): string => {
  const { error, errorLine } = toolError(message, tool, text)
  return error === undefined ? 'fine' : `${error}: ${errorLine}`
}

describe('a failed tool', () => {
  it.each([
    [{ isError: true }, 'Validation failed for tool "write"', 'sure: Validation failed for tool "write"'],
    [{ is_error: true }, '\n\nno such file\n', 'sure: no such file'],
    [{ details: { exitCode: 3 } }, '\n\n(Command exited with code 3)', 'sure: (Command exited with code 3)'],
    [
      { details: { exitCode: 1 } },
      'cat: x: No such file or directory\n\n(Command exited with code 1)',
      'sure: cat: x: No such file or directory',
    ],
    [
      { details: { exitCode: 1 } },
      '> test\n(no output)\n\nCommand exited with code 1',
      'sure: Command exited with code 1',
    ],
    [{ details: { exit_code: 2 } }, '', 'sure: exit code 2'],
    [{ details: { exitCode: 1 } }, 'building\nfine so far\nerror: no rule\nmore', 'sure: error: no rule'],
    [
      { details: { status: 'error', error: 'ENOENT: gone' } },
      '{\n  "status": "error"\n}',
      'sure: ENOENT: gone',
    ],
    [
      { details: { status: 'error' } },
      '{"status":"error","error":{"message":"gone\\nfor good"}}',
      'sure: gone',
    ],
    [{ details: { status: 'failed' } }, 'out', 'sure: out'],
    [{ details: { status: 'timed_out' } }, '', 'sure: timed_out'],
    [{ details: { status: 'killed' } }, 'half', 'sure: half'],
    [{ details: { timedOut: true, exitCode: null } }, 'half', 'sure: half'],
    [{ details: { error: 'gone' } }, 'out', 'sure: gone'],
  ])('is sure if the record says so: %j', (message, text, expected) => {
    expect(errorOf(message, text)).toBe(expected)
  })

  it.each([
    ['a.ts(1,2): error TS1005: expected', 'a.ts(1,2): error TS1005: expected'],
    ['Traceback:\nValueError: bad', 'ValueError: bad'],
    ['make: *** [all] Error 2', 'make: *** [all] Error 2'],
    ['FAILED tests/test_a.py', 'FAILED tests/test_a.py'],
    ['3 passed, 2 failed', '3 passed, 2 failed'],
    ['errors: 4', 'errors: 4'],
    ['{"status":"error","error":"blocked"}', 'blocked'],
    ['ERROR: no space', 'ERROR: no space'],
    ['0 errors before\nnpm error code E404', 'npm error code E404'],
    [`${'x'.repeat(500)} failed ${'y'.repeat(500)}`, `…${'x'.repeat(79)} failed ${'y'.repeat(212)}…`],
  ])('is possible if its output reads like it: %s', (text, line) => {
    expect(errorOf({ isError: false, details: { exitCode: 0 } }, text)).toBe(`possible: ${line}`)
  })

  it.each([
    'all is well',
    '0 errors',
    'found no errors',
    'finished without error',
    'without any errors',
    'zero errors, 0 failed',
    'errors: 0, failed: 0',
    '"error": null, "errors": [], "failed": false',
    'error=0',
    'see error handling in chapter 2',
    'error-handling.md\nerror.ts\nsrc/errors/index.ts\nlib/error\nfailed.log\nmy-error.js',
    'throw new Error("dry")',
    'class DryError extends Error {',
    '} catch (error) {',
    'const { data, error } = await pump()',
    '// an error here is ignored',
    ' * @throws Error when dry',
    '✓ reports an error when dry',
    '| error | meaning |',
    'console.error(message)',
    'terrorist',
    '',
  ])('is not reported if its output only looks like it: %s', (text) => {
    expect(errorOf({ isError: false, details: { exitCode: 0, status: 'completed' } }, text)).toBe('fine')
  })

  it('is not found in a file that mentions errors', () => {
    const page = `${'A long page.\n'.repeat(40)}It failed with an error.`
    expect([
      errorOf({}, page, 'read'),
      errorOf({}, page, 'web_fetch'),
      errorOf({}, page, 'exec'),
      errorOf({}, 'Error: gone', 'read'),
    ]).toEqual(['fine', 'fine', 'possible: It failed with an error.', 'possible: Error: gone'])
  })
})
