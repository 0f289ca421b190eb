import { wordSet } from '../../../model/iteration.ts'
import type { KnownFields } from '../../platform.ts'

/**
 * Requests as sent to the model, which repeat every message. Most of the bytes of 2.1.330, and nothing that
 * other records do not contain.
 */
export const REQUESTS = wordSet('api-request api-request-blob api-request-shape api-request-resumed')

/** Entries without messages, tool calls or errors. Counted as skipped under their own type. */
const BOOKKEEPING = wordSet(
  `progress file-history-snapshot file-history-delta attribution-snapshot speculation-accept
  content-replacement marble-origami-commit marble-origami-snapshot marble-origami-reset checkpoint mode
  permission-mode agent-color agent-setting tag bridge-session tools-used host-row frame-link
  observer-ref isolation-latch atis-latch history-suppression hybrid-organization agent_metadata
  derived-from fork-context-ref teleported-from started launched result dev-mods memory-mode repl-mode
  resume-head-vouch session-owner`,
)

/** The same for type families whose members have a suffix. */
const BOOKKEEPING_FAMILY = /^(?:artifact-|data-flow-|ended)/

/** Whether entries of a type are skipped. */
export const isBookkeeping = (type: string): boolean =>
  REQUESTS.has(type) || BOOKKEEPING.has(type) || BOOKKEEPING_FAMILY.test(type)

/**
 * Types of attachments. All are context injected by the client, except `queued_command`, which can be a
 * human's prompt.
 */
const ATTACHMENTS = wordSet(
  `agent_descriptions agent_listing_delta agent_mention already_read_file async_agent_status
  async_hook_response auto_mode auto_mode_exit background_remote_session_status background_shell_status
  batching_reminder_sent budget_usd claudemd_files command_permissions compact_file_reference
  compaction_reminder companion_intro context_efficiency critical_system_reminder date date_change
  deferred_tools_delta deferred_tools_record delegate_mode delegate_mode_exit diagnostics directory
  dynamic_skill edited_image_file edited_text_file environment file goal_status instructions
  invoked_skills max_turns_reached model named_agent nested_memory opened_file_in_ide output_style
  output_token_usage pdf_reference plan_file_reference prompt_snapshot read_truncation_notice
  relevant_memories remote_session_change selected_lines_in_ide session_context session_cron_carry
  progress_reminder_sent silent_turn_reminder skill_discovery skill_listing structured_output style
  team_context todo token_usage total_tokens_reminder ultra_effort_enter ultra_effort_exit ultramemory
  ultrathink_effort unknown_command_fallback verify_plan_reminder workflow_keyword_request`,
)

/** The same for families that grow with every version. */
const ATTACHMENT_FAMILY = /^(?:hook_|plan_mode|task_|todo_|teammate_|mcp_)/

export const isKnownAttachment = (type: string): boolean =>
  ATTACHMENTS.has(type) || ATTACHMENT_FAMILY.test(type)

/** Subtypes of `system` that are skipped. */
const SYSTEM_NOTES = wordSet(
  `microcompact_boundary turn_duration stop_hook_summary away_summary memory_saved agents_killed
  bridge_status permission_retry scheduled_task_fire file_snapshot model_refusal_fallback
  post_tool_hook_feedback task_notification vcs_state_changed session_start thinking api_metrics status
  api_retry bridge_state elicitation_complete init memory_recall notification plugin_install
  session_state_changed`,
)

/** The same for families whose members have a suffix. */
const SYSTEM_FAMILY = /^(?:hook_|task_)/

export const isSystemNote = (subtype: string): boolean =>
  SYSTEM_NOTES.has(subtype) || SYSTEM_FAMILY.test(subtype)

/** The known fields and types of Claude Code's records up to 2.1.332. `doctor --drift` reports any others. */
export const knownFields = (): KnownFields => ({
  record: wordSet(
    `agentColor agentId agentName agentSetting agentType aiTitle apiBlockIndex apiErrorStatus apiErrorType
    apiRefusalCategory apiRefusalExplanation atis attachment attributionAgent attributionMcpServer attributionMcpTool
    attributionPlugin attributionSkill backup base bridgeSessionId cacheControl cacheCreationInputTokens
    cacheReadInputTokens cause classifierBoundary classifierMetaLines commandRun commandUuid compactMetadata content
    contextLength contextUsage costUSD cron customTitle cwd data deliveryId direction durationMs echoWireToolInputs effort entrypoint
    error errorDetails exitCode explicit failedHookErrorIndexes failedResponseHadNoToolCall fallbackModel forkedFrom
    frameUrl gitBranch hash hasOutput hasUnknownModelCost headers holdsPersonsWords hookAdditionalContext hookCount
    hookErrors hookInfos hookText hookTextLead id imagePasteIds inputTokens interruptedByShutdown interruptedMessageId isAbortedMidStream
    isApiErrorMessage isCompactSummary isDisplayOnly isMeta isSidechain isSnapshotUpdate isVisibleInTranscriptOnly
    keep key label lastPrompt lastSequenceNum launchedAgentId leafUuid level logicalParentUuid madeBy maxRetries
    mcpCallNotReadOnly mcpMeta message messageCount messageId mode modelUsage operation origin originalModel outputTokens
    ownerAccountUuid ownerOrganizationUuid params parentLastUuid parentSessionId parentToolUseID parentUuid path
    pendingBackgroundAgentCount permissionDecision permissionMode perTurnEffort phase planContent preventContinuation
    preventedContinuation prNumber prompt promptCacheRequested promptId promptSource promptSubmitEnding prRepository
    prUrl querySource queuePriority queueSkipAttachments queueSkipSlashCommands queueTranscriptOnly reason
    refusedUserMessageUuid relocatedCwd remoteControlDeviceReport rendered renderedBesideToolResult renderedInHumanTurn renderedRole
    requestDigest requestedModel requestId requestRef requestSessionId result retractedMessageUuids retryAttempt
    retryInMs rowSource sandboxed scheduledFireId scheduledTaskId scope sentAtMs serverClassifierRequest session_id sessionId sessionKind
    shape shapeHash slug snapshot snapshotMessageId source sourceToolAssistantUUID sourceToolUseID startTime stderr
    stdout stopReason subtype summarizedTurnPromptUuids summarizeMetadata summary supersedesUuids tail taskId teamName
    thinkingDisplay thinkingDurationMs thinkingMetadata thread timestamp title todos toolDenialBeforeRun toolDenialKind
    toolEndsTurn toolInputStreamMs tools toolUseID toolUseResult totalAPIDuration totalAPIDurationWithoutRetries
    totalCostUSD totalDuration totalLinesAdded totalLinesRemoved totalToolDuration trackingPath trigger turnCompanion
    turnOrigin turnPosition type url userFeedback userType uuid version wakeupSource worktreeSession`,
  ),
  message: wordSet(
    `container content context_management diagnostics id model output_config role stop_details stop_reason
    stop_sequence type usage`,
  ),
  part: wordSet(
    `document fallback image mcp_tool_result mcp_tool_use redacted_thinking search_result server_tool_use text thinking
    tool_addition tool_reference tool_result tool_use web_search_tool_result`,
  ),
  usage: {
    at: 'message.usage',
    fields: wordSet(
      `cache_creation cache_creation_input_tokens cache_read_input_tokens fallback_credit inference_geo
      input_tokens iterations output_tokens output_tokens_details server_tool_use service_tier speed`,
    ),
  },
})
