# The baseline in jq: the same words, tools with their target, first lines of errors.
if (.message.content | type) == "string" then "\(.type): \(.message.content)"
else (.message.content // [])[]
  | if .type == "text" then "agent: \(.text)"
    elif .type == "tool_use" then "-> \(.name) \(.input.file_path // .input.command // "")"
    elif .is_error == true then "x \(.content | tostring | split("\n")[0])"
    else empty end
end
