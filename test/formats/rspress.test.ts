import { testSite } from './siteTests';

// It decodes no path before it looks for the file, and has no base in `<img>` of MDX.
testSite('Rspress', { unfound: /%20|^<img src="\/base/, unshown: /100%|#1/ });
