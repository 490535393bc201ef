import { testAgent } from './realAgentJobs';
import { realAgents } from './realAgents';

testAgent(realAgents.codex, ['killed', 'own limit']);
