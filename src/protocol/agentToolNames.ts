// What a window knows of the tools of agents while none is used: it is loaded at start-up.

/** The title of each tool, by the name that agents call it. */
export const agentToolTitles = {
	generate_image: 'Generate Image',
	edit_image: 'Edit Image',
	wait_for_image: 'Wait for Image',
	cancel_image: 'Cancel Image',
	list_images: 'List Images',
	get_image: 'Get Image',
	find_missing_images: 'Find Missing Images',
	check_images: 'Check Images',
	set_alt_text: 'Set Alt Text',
	export_image: 'Export Image',
	get_budget: 'Get Budget',
} as const;

export type AgentToolName = keyof typeof agentToolTitles;

/** Returns the name of a tool as a language model tool of VS Code. */
export function modelToolName(tool: AgentToolName): `easel_${AgentToolName}` {
	return `easel_${tool}`;
}
