complete -c scrollback -f
complete -c scrollback -n __fish_use_subcommand -a overview -d 'what is on this machine, and what to try next'
complete -c scrollback -n '__fish_seen_subcommand_from overview' -l json
complete -c scrollback -n '__fish_seen_subcommand_from overview' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from overview' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from overview' -l from
complete -c scrollback -n '__fish_seen_subcommand_from overview' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from overview' -l backups
complete -c scrollback -n '__fish_seen_subcommand_from overview' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from overview' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from overview' -l no-pager
complete -c scrollback -n '__fish_seen_subcommand_from overview' -l color
complete -c scrollback -n '__fish_seen_subcommand_from overview' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from overview' -l help
complete -c scrollback -n '__fish_seen_subcommand_from projects' -F -a '(scrollback completions names 2>/dev/null)'
complete -c scrollback -n __fish_use_subcommand -a projects -d 'projects with their agents, sessions and span; with a name, what matches it and why'
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l platform -x -a 'claude-code openclaw' -d 'only this agent program'
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l agent -x -a '(scrollback completions agents 2>/dev/null)' -d 'only this agent, of every project unless one is named: main, openclaw:main'
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l branch -d 'only sessions on a git branch whose name holds this'
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l title -d 'only sessions whose title holds this'
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l model -d 'only sessions whose model, the last one used, is called so: opus, sonnet-4'
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l all -d 'every project'
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l limit -d 'at most n rows; 0 = no limit'
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l since -d 'active since: 7d, 2026-01-31, yesterday'
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l until -d 'begun before the end of: 2026-01-31, today'
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l kind -d 'only these kinds of session: human, cron, subagent, heartbeat, hook, program, prompted, script, or all'
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l json
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l from
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l backups
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l no-pager
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l color
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from projects' -l help
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -F -a '(scrollback completions names 2>/dev/null)'
complete -c scrollback -n __fish_use_subcommand -a sessions -d 'the session index: who said what first and last, when, how much'
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l platform -x -a 'claude-code openclaw' -d 'only this agent program'
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l agent -x -a '(scrollback completions agents 2>/dev/null)' -d 'only this agent, of every project unless one is named: main, openclaw:main'
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l branch -d 'only sessions on a git branch whose name holds this'
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l title -d 'only sessions whose title holds this'
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l model -d 'only sessions whose model, the last one used, is called so: opus, sonnet-4'
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l all -d 'every project'
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l limit -d 'at most n rows; 0 = no limit'
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l since -d 'active since: 7d, 2026-01-31, yesterday'
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l until -d 'begun before the end of: 2026-01-31, today'
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l kind -d 'only these kinds of session: human, cron, subagent, heartbeat, hook, program, prompted, script, or all'
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l identities -d 'numbers and addresses of people whole'
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l sort -x -a 'last cost tokens size duration' -d 'what comes first: last (the newest), cost, tokens, size, duration'
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l long -d 'what the human said first and last, below each; also from 170 columns on'
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l json
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l from
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l backups
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l no-pager
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l color
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from sessions' -l help
complete -c scrollback -n '__fish_seen_subcommand_from session' -F -a '(scrollback completions names 2>/dev/null)'
complete -c scrollback -n __fish_use_subcommand -a session -d 'all that is known of one session: words, counts, tokens, what the agent’s index says'
complete -c scrollback -n '__fish_seen_subcommand_from session' -l agent -x -a '(scrollback completions agents 2>/dev/null)' -d 'only this agent, of every project unless one is named: main, openclaw:main'
complete -c scrollback -n '__fish_seen_subcommand_from session' -l identities -d 'numbers and addresses of people whole'
complete -c scrollback -n '__fish_seen_subcommand_from session' -l json
complete -c scrollback -n '__fish_seen_subcommand_from session' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from session' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from session' -l from
complete -c scrollback -n '__fish_seen_subcommand_from session' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from session' -l backups
complete -c scrollback -n '__fish_seen_subcommand_from session' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from session' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from session' -l no-pager
complete -c scrollback -n '__fish_seen_subcommand_from session' -l color
complete -c scrollback -n '__fish_seen_subcommand_from session' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from session' -l help
complete -c scrollback -n '__fish_seen_subcommand_from read' -F -a '(scrollback completions names 2>/dev/null)'
complete -c scrollback -n __fish_use_subcommand -a read -d 'the condensed transcript: words whole, tools with their target, errors noted'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l platform -x -a 'claude-code openclaw' -d 'only this agent program'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l agent -x -a '(scrollback completions agents 2>/dev/null)' -d 'only this agent, of every project unless one is named: main, openclaw:main'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l branch -d 'only sessions on a git branch whose name holds this'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l title -d 'only sessions whose title holds this'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l model -d 'only sessions whose model, the last one used, is called so: opus, sonnet-4'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l all -d 'every project'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l limit -d 'at most n rows; 0 = no limit'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l since -d 'active since: 7d, 2026-01-31, yesterday'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l until -d 'begun before the end of: 2026-01-31, today'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l kind -d 'only these kinds of session: human, cron, subagent, heartbeat, hook, program, prompted, script, or all'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l format -x -a 'text md json jsonl' -d 'text, md, json or jsonl'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l voice -d 'how the two are called: default, devlog, or "me,it"'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l around -d 'n entries before and after the line, or each match of --grep'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l last -d 'only the last n entries of each session'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l grep -d 'only entries that hold these words'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l editor -d 'open the transcript in $EDITOR, at the line'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l fold -d 'one line for a run of calls of the same tool'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l budget -d 'fit so many tokens, e.g. 20k: dialogue first'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l full -d 'with thinking, tool inputs and outputs'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l lines -d 'name file:line of everything'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l subagents -d 'tell subagents where they were started'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l identities -d 'numbers and addresses of people whole'
complete -c scrollback -n '__fish_seen_subcommand_from read' -l json
complete -c scrollback -n '__fish_seen_subcommand_from read' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from read' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from read' -l from
complete -c scrollback -n '__fish_seen_subcommand_from read' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from read' -l backups
complete -c scrollback -n '__fish_seen_subcommand_from read' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from read' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from read' -l no-pager
complete -c scrollback -n '__fish_seen_subcommand_from read' -l color
complete -c scrollback -n '__fish_seen_subcommand_from read' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from read' -l help
complete -c scrollback -n __fish_use_subcommand -a search -d 'ranked matches in everything said, and in what tools were used on'
complete -c scrollback -n '__fish_seen_subcommand_from search' -l platform -x -a 'claude-code openclaw' -d 'only this agent program'
complete -c scrollback -n '__fish_seen_subcommand_from search' -l agent -x -a '(scrollback completions agents 2>/dev/null)' -d 'only this agent, of every project unless one is named: main, openclaw:main'
complete -c scrollback -n '__fish_seen_subcommand_from search' -l since -d 'said since: 7d, 2026-01-31, yesterday'
complete -c scrollback -n '__fish_seen_subcommand_from search' -l until -d 'said before the end of: 2026-01-31, today'
complete -c scrollback -n '__fish_seen_subcommand_from search' -l limit -d 'at most n matches (20); 0 = all'
complete -c scrollback -n '__fish_seen_subcommand_from search' -l context -d 'n messages before and after each match'
complete -c scrollback -n '__fish_seen_subcommand_from search' -l sort -x -a 'relevance newest' -d 'relevance or newest first'
complete -c scrollback -n '__fish_seen_subcommand_from search' -l flat -d 'one line a match, not grouped by session'
complete -c scrollback -n '__fish_seen_subcommand_from search' -l pick -d 'choose one of the matches, and read it in place'
complete -c scrollback -n '__fish_seen_subcommand_from search' -l raw -d 'also what tools gave back: reads the transcripts themselves'
complete -c scrollback -n '__fish_seen_subcommand_from search' -l json
complete -c scrollback -n '__fish_seen_subcommand_from search' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from search' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from search' -l from
complete -c scrollback -n '__fish_seen_subcommand_from search' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from search' -l backups
complete -c scrollback -n '__fish_seen_subcommand_from search' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from search' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from search' -l no-pager
complete -c scrollback -n '__fish_seen_subcommand_from search' -l color
complete -c scrollback -n '__fish_seen_subcommand_from search' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from search' -l help
complete -c scrollback -n '__fish_seen_subcommand_from runs' -F -a '(scrollback completions names 2>/dev/null)'
complete -c scrollback -n __fish_use_subcommand -a runs -d 'subagents that were started: what for, by whom, how long, what came of it'
complete -c scrollback -n '__fish_seen_subcommand_from runs' -l platform -x -a 'claude-code openclaw' -d 'only this agent program'
complete -c scrollback -n '__fish_seen_subcommand_from runs' -l agent -x -a '(scrollback completions agents 2>/dev/null)' -d 'only this agent, of every project unless one is named: main, openclaw:main'
complete -c scrollback -n '__fish_seen_subcommand_from runs' -l all -d 'every project'
complete -c scrollback -n '__fish_seen_subcommand_from runs' -l failed -d 'only those whose record says that they failed'
complete -c scrollback -n '__fish_seen_subcommand_from runs' -l since -d 'only those begun since: 7d, 2026-01-31'
complete -c scrollback -n '__fish_seen_subcommand_from runs' -l limit -d 'at most n rows; 0 = no limit'
complete -c scrollback -n '__fish_seen_subcommand_from runs' -l json
complete -c scrollback -n '__fish_seen_subcommand_from runs' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from runs' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from runs' -l from
complete -c scrollback -n '__fish_seen_subcommand_from runs' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from runs' -l backups
complete -c scrollback -n '__fish_seen_subcommand_from runs' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from runs' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from runs' -l no-pager
complete -c scrollback -n '__fish_seen_subcommand_from runs' -l color
complete -c scrollback -n '__fish_seen_subcommand_from runs' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from runs' -l help
complete -c scrollback -n '__fish_seen_subcommand_from stats' -F -a '(scrollback completions names 2>/dev/null)'
complete -c scrollback -n __fish_use_subcommand -a stats -d 'how much was said, done, used and paid: by day, model, project, session, tool or agent'
complete -c scrollback -n '__fish_seen_subcommand_from stats' -l by -x -a 'day week month block model project project-day session tool agent platform' -d 'day, week, month, block, model, project, project-day, session, tool, agent, platform'
complete -c scrollback -n '__fish_seen_subcommand_from stats' -l platform -x -a 'claude-code openclaw' -d 'only this agent program'
complete -c scrollback -n '__fish_seen_subcommand_from stats' -l agent -x -a '(scrollback completions agents 2>/dev/null)' -d 'only this agent, of every project unless one is named: main, openclaw:main'
complete -c scrollback -n '__fish_seen_subcommand_from stats' -l all -d 'everything that the name fits'
complete -c scrollback -n '__fish_seen_subcommand_from stats' -l since -d 'only since: 7d, 2026-01-31, yesterday'
complete -c scrollback -n '__fish_seen_subcommand_from stats' -l until -d 'only until the end of: 2026-01-31, today'
complete -c scrollback -n '__fish_seen_subcommand_from stats' -l limit -d 'at most n rows: the newest times, otherwise what cost most; 0 = no limit'
complete -c scrollback -n '__fish_seen_subcommand_from stats' -l order -x -a 'asc desc' -d 'asc or desc: by time where rows are times, otherwise by cost; asc for times, desc for others unless given'
complete -c scrollback -n '__fish_seen_subcommand_from stats' -l breakdown -d 'each row by model, too'
complete -c scrollback -n '__fish_seen_subcommand_from stats' -l timezone -d 'days, and times of --since and --until, as in this zone: UTC, Europe/Berlin'
complete -c scrollback -n '__fish_seen_subcommand_from stats' -l json
complete -c scrollback -n '__fish_seen_subcommand_from stats' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from stats' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from stats' -l from
complete -c scrollback -n '__fish_seen_subcommand_from stats' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from stats' -l backups
complete -c scrollback -n '__fish_seen_subcommand_from stats' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from stats' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from stats' -l no-pager
complete -c scrollback -n '__fish_seen_subcommand_from stats' -l color
complete -c scrollback -n '__fish_seen_subcommand_from stats' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from stats' -l help
complete -c scrollback -n __fish_use_subcommand -a statusline -d 'one line for the status line of Claude Code: what the session, the day and the block of five hours cost'
complete -c scrollback -n '__fish_seen_subcommand_from statusline' -l refresh -d 'bring the store and the figures up to date first, unless that is being done'
complete -c scrollback -n '__fish_seen_subcommand_from statusline' -l json
complete -c scrollback -n '__fish_seen_subcommand_from statusline' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from statusline' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from statusline' -l from
complete -c scrollback -n '__fish_seen_subcommand_from statusline' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from statusline' -l backups
complete -c scrollback -n '__fish_seen_subcommand_from statusline' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from statusline' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from statusline' -l no-pager
complete -c scrollback -n '__fish_seen_subcommand_from statusline' -l color
complete -c scrollback -n '__fish_seen_subcommand_from statusline' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from statusline' -l help
complete -c scrollback -n __fish_use_subcommand -a cron -d 'scheduled jobs of OpenClaw: when they run, how they went, what they cost'
complete -c scrollback -n '__fish_seen_subcommand_from cron' -l failed -d 'only jobs whose last run failed; with a job, only runs that failed'
complete -c scrollback -n '__fish_seen_subcommand_from cron' -l agent -x -a '(scrollback completions agents 2>/dev/null)' -d 'only jobs of this agent'
complete -c scrollback -n '__fish_seen_subcommand_from cron' -l since -d 'only runs since, and jobs that ran: 7d, 2026-01-31'
complete -c scrollback -n '__fish_seen_subcommand_from cron' -l limit -d 'at most n rows; 0 = no limit'
complete -c scrollback -n '__fish_seen_subcommand_from cron' -l identities -d 'numbers and addresses of people whole'
complete -c scrollback -n '__fish_seen_subcommand_from cron' -l json
complete -c scrollback -n '__fish_seen_subcommand_from cron' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from cron' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from cron' -l from
complete -c scrollback -n '__fish_seen_subcommand_from cron' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from cron' -l backups
complete -c scrollback -n '__fish_seen_subcommand_from cron' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from cron' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from cron' -l no-pager
complete -c scrollback -n '__fish_seen_subcommand_from cron' -l color
complete -c scrollback -n '__fish_seen_subcommand_from cron' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from cron' -l help
complete -c scrollback -n __fish_use_subcommand -a memory -d 'what agents keep to remember: daily logs, memory, personality, and how it changed'
complete -c scrollback -n '__fish_seen_subcommand_from memory' -l diff -d 'what changed last, line by line'
complete -c scrollback -n '__fish_seen_subcommand_from memory' -l at -d 'the texts as they were: 2026-01-31, 7d'
complete -c scrollback -n '__fish_seen_subcommand_from memory' -l recall -d 'chunks of the semantic memory with these words'
complete -c scrollback -n '__fish_seen_subcommand_from memory' -l limit -d 'with --recall, at most n chunks (20); 0 = all'
complete -c scrollback -n '__fish_seen_subcommand_from memory' -l json
complete -c scrollback -n '__fish_seen_subcommand_from memory' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from memory' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from memory' -l from
complete -c scrollback -n '__fish_seen_subcommand_from memory' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from memory' -l backups
complete -c scrollback -n '__fish_seen_subcommand_from memory' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from memory' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from memory' -l no-pager
complete -c scrollback -n '__fish_seen_subcommand_from memory' -l color
complete -c scrollback -n '__fish_seen_subcommand_from memory' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from memory' -l help
complete -c scrollback -n '__fish_seen_subcommand_from secrets' -F -a '(scrollback completions names 2>/dev/null)'
complete -c scrollback -n __fish_use_subcommand -a secrets -d 'keys and passwords that stand in the transcripts: kind, file and line, never the value'
complete -c scrollback -n '__fish_seen_subcommand_from secrets' -l platform -x -a 'claude-code openclaw' -d 'only this agent program'
complete -c scrollback -n '__fish_seen_subcommand_from secrets' -l agent -x -a '(scrollback completions agents 2>/dev/null)' -d 'only this agent, of every project unless one is named: main, openclaw:main'
complete -c scrollback -n '__fish_seen_subcommand_from secrets' -l all -d 'every file: transcripts, prompts, memory'
complete -c scrollback -n '__fish_seen_subcommand_from secrets' -l since -d 'active since: 7d, 2026-01-31, yesterday'
complete -c scrollback -n '__fish_seen_subcommand_from secrets' -l until -d 'begun before the end of: 2026-01-31, today'
complete -c scrollback -n '__fish_seen_subcommand_from secrets' -l kind -d 'only these kinds of secret, or parts of their names'
complete -c scrollback -n '__fish_seen_subcommand_from secrets' -l places -d 'every file and line'
complete -c scrollback -n '__fish_seen_subcommand_from secrets' -l limit -d 'at most n rows; 0 = no limit'
complete -c scrollback -n '__fish_seen_subcommand_from secrets' -l json
complete -c scrollback -n '__fish_seen_subcommand_from secrets' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from secrets' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from secrets' -l from
complete -c scrollback -n '__fish_seen_subcommand_from secrets' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from secrets' -l backups
complete -c scrollback -n '__fish_seen_subcommand_from secrets' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from secrets' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from secrets' -l no-pager
complete -c scrollback -n '__fish_seen_subcommand_from secrets' -l color
complete -c scrollback -n '__fish_seen_subcommand_from secrets' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from secrets' -l help
complete -c scrollback -n '__fish_seen_subcommand_from follow' -F -a '(scrollback completions names 2>/dev/null)'
complete -c scrollback -n __fish_use_subcommand -a follow -d 'what is being said now, condensed, by all agents at once'
complete -c scrollback -n '__fish_seen_subcommand_from follow' -l platform -x -a 'claude-code openclaw' -d 'only this agent program'
complete -c scrollback -n '__fish_seen_subcommand_from follow' -l agent -x -a '(scrollback completions agents 2>/dev/null)' -d 'only this agent: main, openclaw:main'
complete -c scrollback -n '__fish_seen_subcommand_from follow' -l last -d 'begin with the last n things that were said'
complete -c scrollback -n '__fish_seen_subcommand_from follow' -l voice -d 'how the two are called: default, devlog, or "me,it"'
complete -c scrollback -n '__fish_seen_subcommand_from follow' -l lines -d 'name file:line of everything'
complete -c scrollback -n '__fish_seen_subcommand_from follow' -l columns -d 'break lines at this width'
complete -c scrollback -n '__fish_seen_subcommand_from follow' -l jsonl -d 'one item a line, as read --format jsonl has them'
complete -c scrollback -n '__fish_seen_subcommand_from follow' -l json
complete -c scrollback -n '__fish_seen_subcommand_from follow' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from follow' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from follow' -l from
complete -c scrollback -n '__fish_seen_subcommand_from follow' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from follow' -l backups
complete -c scrollback -n '__fish_seen_subcommand_from follow' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from follow' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from follow' -l no-pager
complete -c scrollback -n '__fish_seen_subcommand_from follow' -l color
complete -c scrollback -n '__fish_seen_subcommand_from follow' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from follow' -l help
complete -c scrollback -n '__fish_seen_subcommand_from resume' -F -a '(scrollback completions names 2>/dev/null)'
complete -c scrollback -n __fish_use_subcommand -a resume -d 'the command that goes on with a session, in its own agent and folder'
complete -c scrollback -n '__fish_seen_subcommand_from resume' -l agent -x -a '(scrollback completions agents 2>/dev/null)' -d 'only this agent, of every project unless one is named: main, openclaw:main'
complete -c scrollback -n '__fish_seen_subcommand_from resume' -l run -d 'start it here and now'
complete -c scrollback -n '__fish_seen_subcommand_from resume' -l json
complete -c scrollback -n '__fish_seen_subcommand_from resume' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from resume' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from resume' -l from
complete -c scrollback -n '__fish_seen_subcommand_from resume' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from resume' -l backups
complete -c scrollback -n '__fish_seen_subcommand_from resume' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from resume' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from resume' -l no-pager
complete -c scrollback -n '__fish_seen_subcommand_from resume' -l color
complete -c scrollback -n '__fish_seen_subcommand_from resume' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from resume' -l help
complete -c scrollback -n '__fish_seen_subcommand_from export' -F -a '(scrollback completions names 2>/dev/null)'
complete -c scrollback -n __fish_use_subcommand -a export -d 'a session or project as one HTML page, Markdown or JSON, to keep or to hand on'
complete -c scrollback -n '__fish_seen_subcommand_from export' -l format -x -a 'html md json jsonl' -d 'html, md, json or jsonl'
complete -c scrollback -n '__fish_seen_subcommand_from export' -l out -d 'file, folder for several sessions as Markdown, or - for standard output'
complete -c scrollback -n '__fish_seen_subcommand_from export' -l force -d 'replace what stands there'
complete -c scrollback -n '__fish_seen_subcommand_from export' -l platform -x -a 'claude-code openclaw' -d 'only this agent program'
complete -c scrollback -n '__fish_seen_subcommand_from export' -l agent -x -a '(scrollback completions agents 2>/dev/null)' -d 'only this agent, of every project unless one is named: main, openclaw:main'
complete -c scrollback -n '__fish_seen_subcommand_from export' -l branch -d 'only sessions on a git branch whose name holds this'
complete -c scrollback -n '__fish_seen_subcommand_from export' -l title -d 'only sessions whose title holds this'
complete -c scrollback -n '__fish_seen_subcommand_from export' -l model -d 'only sessions whose model, the last one used, is called so: opus, sonnet-4'
complete -c scrollback -n '__fish_seen_subcommand_from export' -l all -d 'every project'
complete -c scrollback -n '__fish_seen_subcommand_from export' -l limit -d 'at most n rows; 0 = no limit'
complete -c scrollback -n '__fish_seen_subcommand_from export' -l since -d 'active since: 7d, 2026-01-31, yesterday'
complete -c scrollback -n '__fish_seen_subcommand_from export' -l until -d 'begun before the end of: 2026-01-31, today'
complete -c scrollback -n '__fish_seen_subcommand_from export' -l kind -d 'only these kinds of session: human, cron, subagent, heartbeat, hook, program, prompted, script, or all'
complete -c scrollback -n '__fish_seen_subcommand_from export' -l voice -d 'how the two are called: default, devlog, or "me,it"'
complete -c scrollback -n '__fish_seen_subcommand_from export' -l fold -d 'one line for a run of calls of the same tool'
complete -c scrollback -n '__fish_seen_subcommand_from export' -l full -d 'with thinking, tool inputs and outputs'
complete -c scrollback -n '__fish_seen_subcommand_from export' -l identities -d 'numbers and addresses of people whole'
complete -c scrollback -n '__fish_seen_subcommand_from export' -l json
complete -c scrollback -n '__fish_seen_subcommand_from export' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from export' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from export' -l from
complete -c scrollback -n '__fish_seen_subcommand_from export' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from export' -l backups
complete -c scrollback -n '__fish_seen_subcommand_from export' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from export' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from export' -l no-pager
complete -c scrollback -n '__fish_seen_subcommand_from export' -l color
complete -c scrollback -n '__fish_seen_subcommand_from export' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from export' -l help
complete -c scrollback -n __fish_use_subcommand -a collect -d 'deliver what is new to a place of your choice: nothing lost, each record once by its id, no secrets'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l history -d 'what a new destination gets of the past: all, none, or a span (30d)'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l watch -d 'stay, and deliver what is written as it is written'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l list -d 'what is collected and what is not, and what of it is here'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l status -d 'how far each destination is, and what waits'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l max-lag -d 'with --status: exit code 3 where more waits (15m)'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l dry-run -d 'read, count and take out secrets, and deliver nothing'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l redeliver -d 'forget how far was delivered, and deliver everything again that is here'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l forget -d 'drop a destination and all that is known of it; what lies there stays'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l verify -d 'check every bit of an archive'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l repair -d 'recover what is whole of a damaged archive'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l schema -d 'the envelope of a record as JSON Schema'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l service -d 'a file that keeps --watch running: systemd, launchd or windows'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l import-state -d 'go on where another collector stopped, by its state file'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l config -d 'settings, in TOML or JSON'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l state -d 'the file that says how far was delivered'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l device -d 'what this machine is called in the records'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l redact -x -a 'strict standard off' -d 'strict: also what only looks like a secret; off: none'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l identities -d 'take people out too: home, user names, e-mail, phone numbers'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l normalized -d 'our reading of each record beside it'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l skip -d 'leave out records of these types, separated by commas:  api-request* '
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l max-records -d 'records of a batch at most (200)'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l max-bytes -d 'bytes of a batch at most (5MB)'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l record-limit -d 'a larger record becomes a stub'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l token-env -d 'environment variable that holds the token'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l token-file -d 'file that holds the token, yours alone'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l compression -x -a 'zstd gzip none' -d 'how requests are packed (zstd)'
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l json
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l from
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l backups
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l no-pager
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l color
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from collect' -l help
complete -c scrollback -n __fish_use_subcommand -a receive -d 'take records that "collect" delivers over HTTP, and keep them in a directory'
complete -c scrollback -n '__fish_seen_subcommand_from receive' -l port -d 'port to listen on (7788); 0: any that is free'
complete -c scrollback -n '__fish_seen_subcommand_from receive' -l host -d 'address to listen on; others than this machine reach only another one'
complete -c scrollback -n '__fish_seen_subcommand_from receive' -l name -d 'what others call this machine, beside its own name'
complete -c scrollback -n '__fish_seen_subcommand_from receive' -l token-env -d 'environment variable that holds the token'
complete -c scrollback -n '__fish_seen_subcommand_from receive' -l token-file -d 'file that holds the token, yours alone'
complete -c scrollback -n '__fish_seen_subcommand_from receive' -l max-body -d 'bytes of a request at most (20MB)'
complete -c scrollback -n '__fish_seen_subcommand_from receive' -l max-record -d 'bytes of a record at most (2MB)'
complete -c scrollback -n '__fish_seen_subcommand_from receive' -l json
complete -c scrollback -n '__fish_seen_subcommand_from receive' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from receive' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from receive' -l from
complete -c scrollback -n '__fish_seen_subcommand_from receive' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from receive' -l backups
complete -c scrollback -n '__fish_seen_subcommand_from receive' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from receive' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from receive' -l no-pager
complete -c scrollback -n '__fish_seen_subcommand_from receive' -l color
complete -c scrollback -n '__fish_seen_subcommand_from receive' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from receive' -l help
complete -c scrollback -n __fish_use_subcommand -a mcp -d 'tools for agents over standard input and output (MCP): search, sessions, read, projects, stats'
complete -c scrollback -n '__fish_seen_subcommand_from mcp' -l json
complete -c scrollback -n '__fish_seen_subcommand_from mcp' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from mcp' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from mcp' -l from
complete -c scrollback -n '__fish_seen_subcommand_from mcp' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from mcp' -l backups
complete -c scrollback -n '__fish_seen_subcommand_from mcp' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from mcp' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from mcp' -l no-pager
complete -c scrollback -n '__fish_seen_subcommand_from mcp' -l color
complete -c scrollback -n '__fish_seen_subcommand_from mcp' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from mcp' -l help
complete -c scrollback -n __fish_use_subcommand -a setup -d 'lets Claude Code or OpenClaw recall its own history: installs the skill and the tools'
complete -c scrollback -n '__fish_seen_subcommand_from setup' -l undo -d 'take back what it installed'
complete -c scrollback -n '__fish_seen_subcommand_from setup' -l yes -d 'do it without asking'
complete -c scrollback -n '__fish_seen_subcommand_from setup' -l json
complete -c scrollback -n '__fish_seen_subcommand_from setup' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from setup' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from setup' -l from
complete -c scrollback -n '__fish_seen_subcommand_from setup' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from setup' -l backups
complete -c scrollback -n '__fish_seen_subcommand_from setup' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from setup' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from setup' -l no-pager
complete -c scrollback -n '__fish_seen_subcommand_from setup' -l color
complete -c scrollback -n '__fish_seen_subcommand_from setup' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from setup' -l help
complete -c scrollback -n __fish_use_subcommand -a doctor -d 'proof that nothing is missing: every file, every line, what the store holds of it'
complete -c scrollback -n '__fish_seen_subcommand_from doctor' -l deep -d 'read every file again and compare the store with it, row by row'
complete -c scrollback -n '__fish_seen_subcommand_from doctor' -l drift -d 'only what is unknown in your files: names of types and fields, with counts'
complete -c scrollback -n '__fish_seen_subcommand_from doctor' -l json
complete -c scrollback -n '__fish_seen_subcommand_from doctor' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from doctor' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from doctor' -l from
complete -c scrollback -n '__fish_seen_subcommand_from doctor' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from doctor' -l backups
complete -c scrollback -n '__fish_seen_subcommand_from doctor' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from doctor' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from doctor' -l no-pager
complete -c scrollback -n '__fish_seen_subcommand_from doctor' -l color
complete -c scrollback -n '__fish_seen_subcommand_from doctor' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from doctor' -l help
complete -c scrollback -n __fish_use_subcommand -a index -d 'bring the store up to date, read everything again, or keep it up to date'
complete -c scrollback -n '__fish_seen_subcommand_from index' -l rebuild -d 'read everything again; what only the store still holds is kept'
complete -c scrollback -n '__fish_seen_subcommand_from index' -l watch -d 'stay and read on as transcripts grow; Ctrl-C ends it'
complete -c scrollback -n '__fish_seen_subcommand_from index' -l json
complete -c scrollback -n '__fish_seen_subcommand_from index' -l claude-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from index' -l openclaw-dir -r -F
complete -c scrollback -n '__fish_seen_subcommand_from index' -l from
complete -c scrollback -n '__fish_seen_subcommand_from index' -l deleted
complete -c scrollback -n '__fish_seen_subcommand_from index' -l backups
complete -c scrollback -n '__fish_seen_subcommand_from index' -l demo
complete -c scrollback -n '__fish_seen_subcommand_from index' -l no-redact
complete -c scrollback -n '__fish_seen_subcommand_from index' -l no-pager
complete -c scrollback -n '__fish_seen_subcommand_from index' -l color
complete -c scrollback -n '__fish_seen_subcommand_from index' -l no-color
complete -c scrollback -n '__fish_seen_subcommand_from index' -l help
complete -c scrollback -n __fish_use_subcommand -a completions -d 'completions for a shell'
complete -c scrollback -n '__fish_seen_subcommand_from completions' -a 'bash zsh fish'
