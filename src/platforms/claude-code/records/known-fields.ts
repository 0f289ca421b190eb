import type { KnownFields } from '../../platform.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** The known fields and types of Claude Code's records up to 2.1.331. `doctor --drift` reports any others. */
export const knownFields: KnownFields = {
  record: words(
    `agentColor agentId agentName agentSetting agentType aiTitle apiBlockIndex apiErrorStatus apiErrorType
    apiRefusalCategory apiRefusalExplanation atis attachment attributionAgent attributionMcpServer attributionMcpTool
    attributionPlugin attributionSkill backup base bridgeSessionId cacheControl cacheCreationInputTokens
    cacheReadInputTokens cause classifierBoundary classifierMetaLines commandRun commandUuid compactMetadata content
    contextLength contextUsage costUSD cron customTitle cwd data deliveryId direction durationMs effort entrypoint
    error errorDetails exitCode explicit failedHookErrorIndexes failedResponseHadNoToolCall fallbackModel forkedFrom
    frameUrl gitBranch hash hasOutput hasUnknownModelCost headers holdsPersonsWords hookAdditionalContext hookCount
    hookErrors hookInfos hookText hookTextLead id imagePasteIds inputTokens interruptedByShutdown interruptedMessageId isAbortedMidStream
    isApiErrorMessage isCompactSummary isDisplayOnly isMeta isSidechain isSnapshotUpdate isVisibleInTranscriptOnly
    keep key label lastPrompt lastSequenceNum launchedAgentId leafUuid level logicalParentUuid madeBy maxRetries
    mcpMeta message messageCount messageId mode modelUsage operation origin originalModel outputTokens
    ownerAccountUuid ownerOrganizationUuid params parentLastUuid parentSessionId parentToolUseID parentUuid path
    pendingBackgroundAgentCount permissionDecision permissionMode perTurnEffort phase planContent preventContinuation
    preventedContinuation prNumber prompt promptCacheRequested promptId promptSource promptSubmitEnding prRepository
    prUrl querySource queuePriority queueSkipAttachments queueSkipSlashCommands queueTranscriptOnly reason
    refusedUserMessageUuid relocatedCwd remoteControlDeviceReport rendered renderedBesideToolResult renderedRole
    requestDigest requestedModel requestId requestRef requestSessionId result retractedMessageUuids retryAttempt
    retryInMs rowSource sandboxed scheduledFireId scheduledTaskId scope serverClassifierRequest session_id sessionId sessionKind
    shape shapeHash slug snapshot snapshotMessageId source sourceToolAssistantUUID sourceToolUseID startTime stderr
    stdout stopReason subtype summarizedTurnPromptUuids summarizeMetadata summary supersedesUuids tail taskId teamName
    thinkingDisplay thinkingDurationMs thinkingMetadata timestamp title todos toolDenialBeforeRun toolDenialKind
    toolEndsTurn toolInputStreamMs tools toolUseID toolUseResult totalAPIDuration totalAPIDurationWithoutRetries
    totalCostUSD totalDuration totalLinesAdded totalLinesRemoved totalToolDuration trackingPath trigger turnCompanion
    turnOrigin turnPosition type url userFeedback userType uuid version wakeupSource worktreeSession`,
  ),
  message: words(
    `container content context_management diagnostics id model output_config role stop_details stop_reason
    stop_sequence type usage`,
  ),
  part: words(
    `document fallback image mcp_tool_result mcp_tool_use redacted_thinking search_result server_tool_use text thinking
    tool_addition tool_reference tool_result tool_use web_search_tool_result`,
  ),
}
