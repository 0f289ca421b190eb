import { describe, expect, it } from 'vitest'
import { resumeLine } from '../context/flags.ts'

const words = ['claude', '--resume=640ab4c7']

describe('the line that resumes a session', () => {
  it('is a line of PowerShell on Windows', () => {
    expect(resumeLine(words, { CLAUDE_CONFIG_DIR: "C:\\it's" }, 'C:\\my garden', 'win32')).toBe(
      "cd 'C:\\my garden'; $env:CLAUDE_CONFIG_DIR = 'C:\\it''s'; claude --resume=640ab4c7",
    )
  })
})
