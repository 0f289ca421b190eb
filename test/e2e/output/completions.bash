_scrollback_offer() {
  local name
  COMPREPLY=()
  while IFS= read -r name; do
    [[ "$name" == "$word"* ]] && COMPREPLY+=("$(printf %q "$name")")
  done < <(scrollback completions "$1" 2>/dev/null)
}
_scrollback() {
  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" flags=""
  case "$before" in
    --platform) COMPREPLY=($(compgen -W "claude-code" -- "$word")); return ;;
    --sort) COMPREPLY=($(compgen -W "relevance newest" -- "$word")); return ;;
    --format) COMPREPLY=($(compgen -W "html md json jsonl native atif" -- "$word")); return ;;
    --by) COMPREPLY=($(compgen -W "day week month block model project project-day session tool agent platform device person" -- "$word")); return ;;
    --order) COMPREPLY=($(compgen -W "asc desc" -- "$word")); return ;;
    --to) COMPREPLY=($(compgen -W "claude openclaw codex pi opencode gemini copilot kilo qwen continue" -- "$word")); return ;;
    --style) COMPREPLY=($(compgen -W "story tutorial deep-dive log standup changelog" -- "$word")); return ;;
    --voice) COMPREPLY=($(compgen -W "agent human neutral" -- "$word")); return ;;
    --redact) COMPREPLY=($(compgen -W "strict standard off" -- "$word")); return ;;
    --compression) COMPREPLY=($(compgen -W "zstd gzip none" -- "$word")); return ;;
    --agent) _scrollback_offer agents; return ;;
    --claude-dir|--from|--to|--archive|--passwords) COMPREPLY=($(compgen -d -- "$word")); return ;;
    --store-password-file|--out|--check|--import-state|--config|--state|--token-file|--tls-cert|--tls-key) COMPREPLY=($(compgen -f -- "$word")); return ;;
    completions) COMPREPLY=($(compgen -W "bash zsh fish" -- "$word")); return ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ] && [[ "$word" != -* ]]; then
    COMPREPLY=($(compgen -W "overview projects sessions session read search why runs stats statusline cron memory secrets follow resume handoff restore pack unpack move changes tag forget standup devlog export collect keep receive store serve mcp recall setup doctor meaning index completions" -- "$word")); return
  fi
  case "${COMP_WORDS[1]}" in
    overview) flags="--json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    projects) flags="--platform --agent --branch --title --model --tag --starred --all --limit --since --until --kind --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    sessions) flags="--platform --agent --branch --title --model --tag --starred --all --limit --since --until --kind --identities --sort --mentioned --copies --long --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    session) flags="--agent --identities --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    read) flags="--platform --agent --branch --title --model --tag --starred --all --limit --since --until --kind --format --voice --around --last --grep --who --no-tools --editor --fold --budget --mentioned --full --lines --subagents --identities --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    search) flags="--project --platform --agent --tag --since --until --limit --context --sort --flat --pick --raw --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    why) flags="--text --limit --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    runs) flags="--platform --agent --all --failed --since --limit --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    stats) flags="--by --platform --agent --all --since --until --limit --order --breakdown --timezone --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    statusline) flags="--refresh --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    cron) flags="--failed --agent --since --limit --identities --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    memory) flags="--versions --diff --at --since --recall --limit --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    secrets) flags="--platform --agent --all --since --until --kind --places --limit --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    follow) flags="--platform --agent --last --voice --lines --columns --jsonl --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    resume) flags="--agent --run --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    handoff) flags="--to --budget --run --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    restore) flags="--to --condensed --dry-run --yes --undo --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    pack) flags="--all --out --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    unpack) flags="--map --to --dry-run --yes --undo --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    move) flags="--dry-run --yes --undo --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    changes) flags="--agent --file --brief --patch --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    tag) flags="--remove --star --no-star --name --rule --when --remove-rule --agent --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    forget) flags="--archive --dry-run --yes --list --undo --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    standup) flags="--since --until --agent --format --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    devlog) flags="--topic --since --until --platform --agent --style --sessions --yes --evidence --voice --format --budget --part --code --writer --strict --writer-timeout --out --force --anonymize --check --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    export) flags="--format --out --force --platform --agent --branch --title --model --tag --starred --all --limit --since --until --kind --voice --fold --full --identities --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    collect) flags="--history --watch --max-lag --dry-run --redeliver --schema --service --import-state --config --state --device --projects --person --redact --identities --tool-results --normalized --skip --max-records --max-bytes --record-limit --token-env --token-file --compression --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    keep) flags="--to --status --off --remember --dry-run --yes --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    receive) flags="--port --host --name --token-env --token-file --max-body --max-record --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    store) flags="--person --cluster --database --device --reader --admin --passwords --ldap --dry-run --yes --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    serve) flags="--port --host --no-open --token-file --insecure --tls-cert --tls-key --allow-host --trust-proxy --trust-proxy-header --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    mcp) flags="--json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    recall) flags="--json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    setup) flags="--recall --undo --dry-run --yes --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    doctor) flags="--deep --vanishing --drift --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    meaning) flags="--endpoint --model --token-env --token-file --dry-run --yes --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    index) flags="--rebuild --watch --json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
    completions) flags="" ;;
    *) flags="--json --claude-dir --dir --from --store --store-password-file --deleted --backups --demo --no-redact --retention --no-pager --color --no-color --help" ;;
  esac
  if [[ "$word" == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$word")); return; fi
  case "${COMP_WORDS[1]}" in
    projects|sessions|session|read|runs|stats|secrets|follow|resume|handoff|restore|pack|changes|tag|forget|standup|devlog|export|store) _scrollback_offer names ;;
  esac
  COMPREPLY+=($(compgen -f -- "$word"))
}
complete -F _scrollback scrollback
