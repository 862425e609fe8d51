# A client of projects.yaml with LWP::UserAgent::Determined: it pauses for 1, 3 and 15 seconds, also after a 429.
use strict;
use warnings;
use JSON::PP;
use LWP::UserAgent::Determined;

my $browser = LWP::UserAgent::Determined->new;
$browser->codes_to_determinate->{429} = 1;
$browser->default_header( Authorization => "Bearer $ENV{PETSPEC_API_KEY}" );

sub ask {
    my ( $method, @rest ) = @_;
    my $response = $browser->$method(@rest);
    die $response->status_line, "\n" unless $response->is_success;
    return $response->decoded_content;
}

my $base = "$ENV{PETSPEC_BASE_URL}/projects";
ask( get => "$base?limit=10" );
my $added = ask( post => $base, 'Content-Type' => 'application/json', Content => '{"name":"Roof","state":"open"}' );
my $url   = "$base/" . decode_json($added)->{data}{id};
ask( get    => $url );
ask( delete => $url );
