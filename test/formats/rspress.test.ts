import { testSite } from './siteTests';

// It decodes no path before it looks for the file.
testSite('Rspress', { unshown: /100%|#1/ });
