#compdef scrollback
_scrollback() {
  local -a names=(
    'overview:what is on this machine, and what to try next'
    'projects:projects with their agents, sessions and span; with a name, what matches it and why'
    'sessions:the session index  who said what first and last, when, how much'
    'search:ranked matches in everything said, and in what tools were used on'
    'runs:subagents that were started  what for, by whom, how long, what came of it'
    'cron:scheduled jobs of OpenClaw  when they run, how they went, what they cost'
    'memory:what agents keep to remember  daily logs, memory, personality, and how it changed'
    'secrets:keys and passwords that stand in the transcripts  kind, file and line, never the value'
    'doctor:proof that nothing is missing  every file, every line, what the store holds of it'
    'index:bring the store up to date, read everything again, or keep it up to date'
    'read:the condensed transcript  words whole, tools with their target, errors noted'
    'completions:completions for a shell'
  )
  if (( CURRENT == 2 )); then _describe command names; return; fi
  local name="${words[2]}"
  shift words; (( CURRENT-- ))
  case "$name" in
    overview) _arguments '--json[]' '--claude-dir[]' '--openclaw-dir[]' '--deleted[]' '--demo[]' '--no-redact[]' '--color[]' '--no-color[]' '--help[]' '*:file:_files' ;;
    projects) _arguments '--platform[only this agent program]:value:(claude-code openclaw)' '--all[every project]' '--limit[at most n rows; 0 = no limit]' '--since[active since  7d, 2026-01-31, yesterday]' '--until[begun before the end of  2026-01-31, today]' '--kind[only these kinds of session  human, cron, subagent, heartbeat, hook, program, or all]' '--json[]' '--claude-dir[]' '--openclaw-dir[]' '--deleted[]' '--demo[]' '--no-redact[]' '--color[]' '--no-color[]' '--help[]' '*:file:_files' ;;
    sessions) _arguments '--platform[only this agent program]:value:(claude-code openclaw)' '--all[every project]' '--limit[at most n rows; 0 = no limit]' '--since[active since  7d, 2026-01-31, yesterday]' '--until[begun before the end of  2026-01-31, today]' '--kind[only these kinds of session  human, cron, subagent, heartbeat, hook, program, or all]' '--identities[numbers and addresses of people whole]' '--json[]' '--claude-dir[]' '--openclaw-dir[]' '--deleted[]' '--demo[]' '--no-redact[]' '--color[]' '--no-color[]' '--help[]' '*:file:_files' ;;
    search) _arguments '--platform[only this agent program]:value:(claude-code openclaw)' '--since[said since  7d, 2026-01-31, yesterday]' '--until[said before the end of  2026-01-31, today]' '--limit[at most n matches (20); 0 = all]' '--context[n messages before and after each match]' '--sort[relevance or newest first]:value:(relevance newest)' '--flat[one line a match, not grouped by session]' '--raw[also what tools gave back  reads the transcripts themselves]' '--json[]' '--claude-dir[]' '--openclaw-dir[]' '--deleted[]' '--demo[]' '--no-redact[]' '--color[]' '--no-color[]' '--help[]' '*:file:_files' ;;
    runs) _arguments '--platform[only this agent program]:value:(claude-code openclaw)' '--all[every project]' '--failed[only those whose record says that they failed]' '--since[only those begun since  7d, 2026-01-31]' '--limit[at most n rows; 0 = no limit]' '--json[]' '--claude-dir[]' '--openclaw-dir[]' '--deleted[]' '--demo[]' '--no-redact[]' '--color[]' '--no-color[]' '--help[]' '*:file:_files' ;;
    cron) _arguments '--failed[only jobs whose last run failed; with a job, only runs that failed]' '--agent[only jobs of this agent]' '--since[only runs since, and jobs that ran  7d, 2026-01-31]' '--limit[at most n rows; 0 = no limit]' '--identities[numbers and addresses of people whole]' '--json[]' '--claude-dir[]' '--openclaw-dir[]' '--deleted[]' '--demo[]' '--no-redact[]' '--color[]' '--no-color[]' '--help[]' '*:file:_files' ;;
    memory) _arguments '--diff[what changed last, line by line]' '--at[the texts as they were  2026-01-31, 7d]' '--recall[chunks of the semantic memory with these words]' '--limit[with --recall, at most n chunks (20); 0 = all]' '--json[]' '--claude-dir[]' '--openclaw-dir[]' '--deleted[]' '--demo[]' '--no-redact[]' '--color[]' '--no-color[]' '--help[]' '*:file:_files' ;;
    secrets) _arguments '--platform[only this agent program]:value:(claude-code openclaw)' '--all[every file  transcripts, prompts, memory]' '--since[active since  7d, 2026-01-31, yesterday]' '--until[begun before the end of  2026-01-31, today]' '--kind[only these kinds of secret, or parts of their names]' '--places[every file and line]' '--limit[at most n rows; 0 = no limit]' '--json[]' '--claude-dir[]' '--openclaw-dir[]' '--deleted[]' '--demo[]' '--no-redact[]' '--color[]' '--no-color[]' '--help[]' '*:file:_files' ;;
    doctor) _arguments '--deep[read every file again and compare the store with it, row by row]' '--json[]' '--claude-dir[]' '--openclaw-dir[]' '--deleted[]' '--demo[]' '--no-redact[]' '--color[]' '--no-color[]' '--help[]' '*:file:_files' ;;
    index) _arguments '--rebuild[read everything again; what only the store still holds is kept]' '--watch[stay and read on as transcripts grow; Ctrl-C ends it]' '--json[]' '--claude-dir[]' '--openclaw-dir[]' '--deleted[]' '--demo[]' '--no-redact[]' '--color[]' '--no-color[]' '--help[]' '*:file:_files' ;;
    read) _arguments '--platform[only this agent program]:value:(claude-code openclaw)' '--all[every project]' '--limit[at most n rows; 0 = no limit]' '--since[active since  7d, 2026-01-31, yesterday]' '--until[begun before the end of  2026-01-31, today]' '--kind[only these kinds of session  human, cron, subagent, heartbeat, hook, program, or all]' '--format[text, md, json or jsonl]:value:(text md json jsonl)' '--voice[how the two are called  default, devlog, or  me,it ]' '--fold[one line for a run of calls of the same tool]' '--budget[fit so many tokens, e.g. 20k  dialogue first]' '--full[with thinking, tool inputs and outputs]' '--lines[name file line of everything]' '--subagents[tell subagents where they were started]' '--identities[numbers and addresses of people whole]' '--json[]' '--claude-dir[]' '--openclaw-dir[]' '--deleted[]' '--demo[]' '--no-redact[]' '--color[]' '--no-color[]' '--help[]' '*:file:_files' ;;
    completions) _arguments '1:shell:(bash zsh fish)' ;;
  esac
}
compdef _scrollback scrollback
