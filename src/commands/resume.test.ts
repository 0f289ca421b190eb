import { describe, expect, it } from 'vitest'
import { resumeLine } from './resume.ts'

const words = ['claude', '--resume', '640ab4c7']

describe('the line that resumes a session', () => {
  it('sets variables for one command, in the directory of the session', () => {
    expect(resumeLine(words, { CLAUDE_CONFIG_DIR: '/my data' }, "/srv/it's", 'linux')).toBe(
      "cd '/srv/it'\\''s' && CLAUDE_CONFIG_DIR='/my data' claude --resume 640ab4c7",
    )
  })

  it('is a line of PowerShell on Windows', () => {
    expect(resumeLine(words, { CLAUDE_CONFIG_DIR: "C:\\it's" }, 'C:\\my garden', 'win32')).toBe(
      "cd 'C:\\my garden'; $env:CLAUDE_CONFIG_DIR = 'C:\\it''s'; claude --resume 640ab4c7",
    )
  })

  it('is the command alone if it needs neither', () => {
    for (const platform of ['linux', 'win32'] as const)
      expect(resumeLine(words, {}, null, platform)).toBe('claude --resume 640ab4c7')
  })
})
