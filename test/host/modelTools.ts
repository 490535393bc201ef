// The language model tools of `package.json`, from the table that all doors of agents share.
import * as z from 'zod';
import { agentTools } from '../../src/protocol/agents.js';
import { modelToolName, type AgentToolName } from '../../src/protocol/agentToolNames.js';

/** Returns `contributes.languageModelTools`. */
export function modelTools() {
	return (Object.keys(agentTools) as AgentToolName[]).map((tool) => {
		const { title, description, schema } = agentTools[tool];
		const inputSchema = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
		delete inputSchema.$schema;
		return {
			name: modelToolName(tool),
			toolReferenceName: toolReferenceName(tool),
			displayName: title,
			userDescription: description.split('. ')[0]!.replace(/\.?$/, '.'),
			modelDescription: description,
			canBeReferencedInPrompt: true,
			icon: '$(sparkle)',
			tags: ['easel', 'images'],
			inputSchema,
		};
	});
}

/** Name of the tool in a chat: `#easelGenerateImage`. */
function toolReferenceName(tool: AgentToolName): string {
	const words = tool.split('_').map((word) => word[0]!.toUpperCase() + word.slice(1));
	return `easel${words.join('')}`;
}
