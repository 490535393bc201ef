// The language model tools of `package.json`, from the table that all doors of agents share.
import { agentTools, publishedSchema } from '../../src/protocol/agents.js';
import { modelToolName, type AgentToolName } from '../../src/protocol/agentToolNames.js';

/** Returns `contributes.languageModelTools`. */
export function modelTools() {
	return (Object.keys(agentTools) as AgentToolName[]).map((tool) => {
		const { title, description } = agentTools[tool];
		return {
			name: modelToolName(tool),
			toolReferenceName: toolReferenceName(tool),
			displayName: title,
			userDescription: description.split('. ')[0]!.replace(/\.?$/, '.'),
			modelDescription: description,
			canBeReferencedInPrompt: true,
			icon: '$(sparkle)',
			tags: ['easel', 'images'],
			inputSchema: publishedSchema(tool),
		};
	});
}

/** Name of the tool in a chat: `#easelGenerateImage`. */
function toolReferenceName(tool: AgentToolName): string {
	const words = tool.split('_').map((word) => word[0]!.toUpperCase() + word.slice(1));
	return `easel${words.join('')}`;
}
