complete -c scrollback -f
complete -c scrollback -n __fish_use_subcommand -a overview -d 'what is on this machine, and what to try next'
complete -c scrollback -n '__fish_seen_subcommand_from overview' -l json
complete -c scrollback -n '__fish_seen_subcommand_from overview' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from overview' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from overview' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from overview' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from overview' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from overview' -l color
complete -c scrollback -n '__fish_seen_subcommand_from overview' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from overview' -l help
complete -c scrollback -n __fish_use_subcommand -a projects -d 'projects with their agents, sessions and span; with a name, what matches it and why'
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l platform -x -a 'claude-code openclaw' -d 'only this agent program'
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l all -d 'every project'
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l limit -d 'at most n rows; 0 = no limit'
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l since -d 'active since: 7d, 2026-01-31, yesterday'
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l until -d 'begun before the end of: 2026-01-31, today'
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l kind -d 'only these kinds of session: human, cron, subagent, heartbeat, hook, program, or all'
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l json
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l color
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l help
complete -c scrollback -n __fish_use_subcommand -a sessions -d 'the session index: who said what first and last, when, how much'
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l platform -x -a 'claude-code openclaw' -d 'only this agent program'
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l all -d 'every project'
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l limit -d 'at most n rows; 0 = no limit'
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l since -d 'active since: 7d, 2026-01-31, yesterday'
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l until -d 'begun before the end of: 2026-01-31, today'
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l kind -d 'only these kinds of session: human, cron, subagent, heartbeat, hook, program, or all'
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l json
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l color
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l help
complete -c scrollback -n __fish_use_subcommand -a read -d 'the condensed transcript: words whole, tools with their target, errors noted'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l platform -x -a 'claude-code openclaw' -d 'only this agent program'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l all -d 'every project'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l limit -d 'at most n rows; 0 = no limit'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l since -d 'active since: 7d, 2026-01-31, yesterday'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l until -d 'begun before the end of: 2026-01-31, today'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l kind -d 'only these kinds of session: human, cron, subagent, heartbeat, hook, program, or all'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l format -x -a 'text md json jsonl' -d 'text, md, json or jsonl'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l voice -d 'how the two are called: default, devlog, or "me,it"'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l fold -d 'one line for a run of calls of the same tool'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l budget -d 'fit so many tokens, e.g. 20k: dialogue first'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l full -d 'with thinking, tool inputs and outputs'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l lines -d 'name file:line of everything'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l json
complete -c scrollback -n '__fish_seen_subcommand_from read' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from read' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from read' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from read' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from read' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from read' -l color
complete -c scrollback -n '__fish_seen_subcommand_from read' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from read' -l help
complete -c scrollback -n __fish_use_subcommand -a completions -d 'completions for a shell'
complete -c scrollback -n '__fish_seen_subcommand_from completions' -a 'bash zsh fish'
