import {
  Button,
  Divider,
  Dropdown,
  DropdownGroup,
  DropdownItem,
  DropdownList,
  Masthead,
  MastheadBrand,
  MastheadContent,
  MastheadLogo,
  MastheadMain,
  MastheadToggle,
  MenuToggle,
  PageToggleButton,
  Toolbar,
  ToolbarContent,
  ToolbarGroup,
  ToolbarItem,
} from '@patternfly/react-core';
import SearchIcon from '@patternfly/react-icons/dist/esm/icons/search-icon';
import UserIcon from '@patternfly/react-icons/dist/esm/icons/user-icon';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, base, given } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { chooseLanguage, languages, useTexts, type Language } from '../texts/texts.tsx';
import mark from './mark.svg';
import { ScopeChoice } from './scope-choice.tsx';
import { chooseTheme, chosenTheme, themes, type Theme } from './theme.ts';

/** The head of the page: its name, what is worked on, and who works. */
export function Header({ openPalette }: { readonly openPalette: () => void }) {
  const { product, shell } = useTexts();
  return (
    <Masthead>
      <MastheadMain>
        <MastheadToggle>
          <PageToggleButton isHamburgerButton aria-label={shell.toggleNavigation} />
        </MastheadToggle>
        <MastheadBrand>
          <MastheadLogo component={(props: object) => <Link to="/" {...props} />} aria-label={product}>
            <img src={mark} alt="" height={28} width={28} />
            <strong className="portal-product">{product}</strong>
          </MastheadLogo>
        </MastheadBrand>
      </MastheadMain>
      <MastheadContent>
        <Toolbar isFullHeight isStatic>
          <ToolbarContent>
            <ToolbarGroup align={{ default: 'alignEnd' }} variant="action-group" gap={{ default: 'gapSm' }}>
              <ToolbarItem visibility={{ default: 'hidden', lg: 'visible' }}>
                <ScopeChoice />
              </ToolbarItem>
              <ToolbarItem>
                <Button
                  variant="control"
                  icon={<SearchIcon />}
                  onClick={openPalette}
                  aria-label={`${shell.palette} ${shell.paletteKeys}`}
                >
                  <kbd className="portal-subtle portal-wide">{shell.paletteKeys}</kbd>
                </Button>
              </ToolbarItem>
              <ToolbarItem>
                <UserMenu />
              </ToolbarItem>
            </ToolbarGroup>
          </ToolbarContent>
        </Toolbar>
      </MastheadContent>
    </Masthead>
  );
}

/** Who is signed in, how the page looks and speaks, the contract, and the way out. */
function UserMenu() {
  const { shell, themes: themeNames } = useTexts();
  const { name } = useSession();
  const [isOpen, setOpen] = useState(false);
  const [theme, setTheme] = useState<Theme>(chosenTheme);
  const leave = useMutation({
    // Nothing is asked anew: the page is left.
    meta: { reads: true },
    mutationFn: () => given(api.POST('/session/logout')),
    // Where the provider has a place to sign out of, too, that leads back here.
    onSuccess: ({ endSession }) => location.assign(endSession ?? `${base}/`),
  });
  return (
    <Dropdown
      isOpen={isOpen}
      onOpenChange={setOpen}
      onSelect={() => setOpen(false)}
      popperProps={{ position: 'right' }}
      toggle={(ref) => (
        <MenuToggle
          ref={ref}
          isExpanded={isOpen}
          icon={<UserIcon />}
          variant="plainText"
          aria-label={shell.user(name)}
          onClick={() => setOpen(!isOpen)}
        />
      )}
    >
      <DropdownGroup label={name} labelHeadingLevel="h2">
        <DropdownList>
          {themes.map((each) => (
            <DropdownItem
              key={each}
              isSelected={each === theme}
              onClick={() => {
                chooseTheme(each);
                setTheme(each);
              }}
            >
              {themeNames[each]}
            </DropdownItem>
          ))}
          <Divider component="li" />
          {Object.entries(languages).map(([language, title]) => (
            <DropdownItem
              key={language}
              isSelected={document.documentElement.lang === language}
              onClick={() => chooseLanguage(language as Language)}
            >
              {title}
            </DropdownItem>
          ))}
          <Divider component="li" />
          <DropdownItem to={`${base}/docs`}>{shell.contract}</DropdownItem>
          <DropdownItem onClick={() => leave.mutate()}>{shell.signOut}</DropdownItem>
        </DropdownList>
      </DropdownGroup>
    </Dropdown>
  );
}
