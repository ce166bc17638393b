import { Nav, NavGroup, NavItem, PageSidebar, PageSidebarBody } from '@patternfly/react-core';
import { Link, useRouterState } from '@tanstack/react-router';
import { useTexts } from '../texts/texts.tsx';
import { usePlaces } from './places.ts';
import { ScopeChoice } from './scope-choice.tsx';

/** Where one can go. */
export function Navigation() {
  const { shell, groups, places: names } = useTexts();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // A version of a tool is looked at among the reviews, as the page says itself.
  const placed = /^\/tools\/[^/]+\/versions\//.test(path) ? '/desk' : path;
  return (
    <PageSidebar>
      <PageSidebarBody>
        <div className="portal-narrow">
          <ScopeChoice />
        </div>
        <Nav aria-label={shell.navigation}>
          {usePlaces().map(({ group, places: members }) => (
            <NavGroup key={group} title={groups[group]}>
              {members.map(({ to, name }) => (
                <NavItem key={to} isActive={isWithin(placed, to)} itemId={to}>
                  <Link to={to} preload="intent">
                    {names[name]}
                  </Link>
                </NavItem>
              ))}
            </NavGroup>
          ))}
        </Nav>
      </PageSidebarBody>
    </PageSidebar>
  );
}

function isWithin(path: string, place: string): boolean {
  return path === place || (place !== '/' && path.startsWith(`${place}/`));
}
